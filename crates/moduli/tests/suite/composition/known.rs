//! The ledger's knowledge about the residues modulo one number.

use std::collections::HashMap;

use moduli::KernelChoice;
use moduli_kernel::internals::{self, Kernel};
use num_bigint::BigUint;

use super::value::{Number, Power, Unknown, Value};

/// The number of pieces of an operand. An operand in one piece is a residue.
pub type Form = usize;
pub const RESIDUE: Form = 1;

/// The position of a residue: an address, and a lane if a row begins there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    address: usize,
    lane: Option<usize>,
}

impl Place {
    pub fn of(words: &[u64]) -> Self {
        Self { address: words.as_ptr() as usize, lane: None }
    }

    pub fn in_row(row: &[u64], lane: usize) -> Self {
        Self { lane: Some(lane), ..Self::of(row) }
    }
}

/// A looked-up entry that no operation has read yet.
struct Waiting {
    lane: Option<usize>,
    words: Vec<u64>,
    unknown: Unknown,
}

pub struct Known {
    pub modulus: BigUint,
    /// Reads rows and constants.
    kernel: Box<dyn Kernel>,
    /// The values by position and, for residues copied since, by their words.
    by_place: HashMap<(Form, Place), (Vec<u64>, Value)>,
    by_words: HashMap<(Form, Vec<u64>), Value>,
    /// The values known when the first exponentiation began: a table.
    before: HashMap<(Form, Vec<u64>), Value>,
    forms: Vec<Form>,
    /// Residues computed before the ledger observed: their values below the modulus, and their
    /// meanings.
    constants: Vec<(BigUint, Value)>,
    /// The looked-up entries in order, and those that no operation has read yet.
    looked_up: Vec<Power>,
    waiting: Vec<Waiting>,
    /// A number that is being loaded part by part, and its next part.
    pub coming_in: Option<(Number, u32)>,
}

impl Known {
    pub fn new(modulus: &BigUint, choice: KernelChoice) -> Self {
        let kernel = internals::kernel(choice, &modulus.to_u64_digits()).unwrap();
        let one = kernel.one().to_vec();
        let mut known = Self {
            modulus: modulus.clone(),
            kernel,
            by_place: HashMap::new(),
            by_words: HashMap::new(),
            before: HashMap::new(),
            forms: Vec::new(),
            constants: Vec::new(),
            looked_up: Vec::new(),
            waiting: Vec::new(),
            coming_in: None,
        };
        // A constant of the kernel.
        known.set(RESIDUE, Place::of(&one), &one, Power::default().into());
        // The same constant, in the form in which single powers are computed.
        let of_powers = (known.kernel.dimensions().name == KernelChoice::IFMA52.name())
            .then(|| internals::kernel(internals::IFMA52_POWERS, &modulus.to_u64_digits()).ok());
        if let Some(kernel) = of_powers.flatten() {
            let one = kernel.one();
            known.set(RESIDUE, Place::of(one), one, Power::default().into());
        }
        known
    }

    /// The length of the modulus, and of the parts in which longer numbers are loaded.
    pub fn bits(&self) -> u32 {
        self.modulus.bits() as u32
    }

    /// Registers a residue that was computed earlier: `count` times the kernel's internal factor to
    /// the power of `loads`. Such a residue is recognised by its value.
    pub fn add_constant(&mut self, count: &BigUint, loads: i32) {
        // The kernel loads the inverse of this factor as `one`.
        let inverse = self.read(|kernel, out, scratch| kernel.store(out, kernel.one(), scratch));
        let factor = if loads < 0 { inverse } else { inverse.modinv(&self.modulus).unwrap() };
        let value = factor.modpow(&loads.unsigned_abs().into(), &self.modulus) * count % &self.modulus;
        let meaning = Value::default().plus(&Value::from(Power::default()), count, &self.modulus);
        self.constants.push((value, meaning.loaded(loads.into())));
    }

    /// The number that the kernel writes.
    fn read(&self, write: impl FnOnce(&dyn Kernel, &mut [u64], &mut [u64])) -> BigUint {
        let dimensions = self.kernel.dimensions();
        let (mut out, mut scratch) = (vec![0; dimensions.limbs], vec![0; dimensions.scratch_words]);
        write(&*self.kernel, &mut out, &mut scratch);
        number(&out)
    }

    /// The residues in a row, and its words.
    pub fn row_size(&self) -> (usize, usize) {
        let lanes = self.kernel.lanes().expect("a row of a kernel without lanes");
        (lanes.lanes(), lanes.row_words())
    }

    /// The residue in a lane of a row.
    pub fn lane(&self, row: &[u64], lane: usize) -> Vec<u64> {
        let mut residue = vec![0; self.kernel.dimensions().residue_words];
        self.kernel.lanes().unwrap().take(&mut residue, row, lane);
        residue
    }

    /// The value of an operand.
    pub fn take(&mut self, form: Form, words: &[u64]) -> Value {
        let value = self.taken(form, Place::of(words), words);
        assert!(
            !value.is_raw(),
            "a loaded number that may not lie below the modulus, in another place than a product's first"
        );
        value
    }

    /// The value of the first operand of a product, which may be any number with as many bits as
    /// the modulus.
    pub fn take_factor(&mut self, words: &[u64]) -> Value {
        self.taken(RESIDUE, Place::of(words), words)
    }

    /// The value of the residue in a lane of a row.
    pub fn take_lane(&mut self, row: &[u64], lane: usize) -> Value {
        let words = self.lane(row, lane);
        self.taken(RESIDUE, Place::in_row(row, lane), &words)
    }

    /// The value of a residue taken out of a lane of a row. A later residue there is a copy.
    pub fn take_out(&mut self, row: &[u64], lane: usize) -> Value {
        let value = self.take_lane(row, lane);
        self.by_place.remove(&(RESIDUE, Place::in_row(row, lane)));
        value
    }

    /// Returns the value known at this position, unless that was a looked-up entry already read,
    /// because memory is reused. Otherwise returns the first unread looked-up entry with these
    /// words for this lane.
    fn taken(&mut self, form: Form, place: Place, words: &[u64]) -> Value {
        let here = self.by_place.get(&(form, place)).filter(|(known, _)| known == words);
        let here = here.map(|(_, value)| value.clone());
        let is_here = |waiting: &Waiting| {
            here.as_ref().and_then(Value::power).is_some_and(|power| *power == Power::of(waiting.unknown))
        };
        let is_copied = |waiting: &Waiting| waiting.lane == place.lane && waiting.words == words;
        let was_looked_up = here.as_ref().is_none_or(Value::was_looked_up);
        let waiting = match self.waiting.iter().position(is_here) {
            None if was_looked_up => self.waiting.iter().position(is_copied),
            first => first,
        };
        if let Some(first) = waiting {
            return Power::of(self.waiting.remove(first).unknown).into();
        }
        let known =
            here.or_else(|| self.by_words(form, words).cloned()).or_else(|| self.constant(form, words));
        known.expect("an operand that no operation has given")
    }

    fn constant(&self, form: Form, words: &[u64]) -> Option<Value> {
        if form != RESIDUE || self.constants.is_empty() {
            return None;
        }
        let value = self.read(|kernel, out, scratch| kernel.from_montgomery(out, words, scratch));
        self.constants.iter().find(|(constant, _)| *constant == value).map(|(_, meaning)| meaning.clone())
    }

    pub fn by_words(&self, form: Form, words: &[u64]) -> Option<&Value> {
        let at = (form, words.to_vec());
        self.by_words.get(&at).or_else(|| self.before.get(&at))
    }

    pub fn set(&mut self, form: Form, place: Place, words: &[u64], value: Value) {
        if !self.forms.contains(&form) {
            self.forms.push(form);
        }
        self.by_place.insert((form, place), (words.to_vec(), value.clone()));
        self.by_words.insert((form, words.to_vec()), value);
    }

    /// Records a look-up, for every form in which these words are known.
    pub fn look_up(&mut self, place: Place, words: &[u64], entries: &[u64]) {
        assert!(entries.chunks_exact(words.len()).any(|entry| entry == words), "no entry of the row");
        let forms = self.forms.iter().copied().filter(|&form| self.by_words(form, words).is_some());
        let forms: Vec<_> = forms.collect();
        let value = forms.first().and_then(|&form| self.by_words(form, words));
        let power = value.expect("an entry that no operation has given").power().expect("a table of sums");
        assert_eq!(power.loads, 0);
        let unknown = Unknown::LookedUp(self.looked_up.len());
        self.looked_up.push(power.resolved(&self.looked_up));
        self.waiting.push(Waiting { lane: place.lane, words: words.to_vec(), unknown });
        for form in forms {
            self.by_place.insert((form, place), (words.to_vec(), Power::of(unknown).into()));
        }
    }

    /// Begins an exponentiation: look-ups are numbered from 0.
    pub fn begin(&mut self) {
        let by_words = std::mem::take(&mut self.by_words);
        if self.before.is_empty() {
            self.before = by_words.into_iter().map(|(at, value)| (at, self.resolved(&value))).collect();
        }
        self.by_place.clear();
        self.looked_up.clear();
        self.waiting.clear();
    }

    /// Replaces looked-up entries by their values.
    pub fn resolved(&self, value: &Value) -> Value {
        value.resolved(&self.looked_up, &self.modulus)
    }
}

pub fn number(limbs: &[u64]) -> BigUint {
    BigUint::new(limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]).collect())
}
