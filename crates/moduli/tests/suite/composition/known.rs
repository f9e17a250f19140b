//! What is known of the residues modulo one number.

use std::collections::HashMap;

use moduli::KernelChoice;
use moduli_kernel::internals::{self, Kernel};
use num_bigint::BigUint;

use super::value::{Number, Power, Unknown, Value};

/// In how many pieces an operand is: in one it is a residue.
pub type Form = usize;
pub const RESIDUE: Form = 1;

/// Where a residue stands: an address, and which lane of the row that begins there.
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

/// What was looked up, which no operation has taken yet.
struct Waiting {
    lane: Option<usize>,
    words: Vec<u64>,
    unknown: Unknown,
}

pub struct Known {
    pub modulus: BigUint,
    /// To read rows and constants by.
    kernel: Box<dyn Kernel>,
    /// By where they stand, and, if they were copied since, by their words.
    by_place: HashMap<(Form, Place), (Vec<u64>, Value)>,
    by_words: HashMap<(Form, Vec<u64>), Value>,
    /// What was known when the first exponentiation began: a table.
    before: HashMap<(Form, Vec<u64>), Value>,
    forms: Vec<Form>,
    /// What was made before the ledger listened: values below the modulus, and what they are.
    constants: Vec<(BigUint, Value)>,
    /// What was looked up, in turn, and which of it no operation has taken yet.
    looked_up: Vec<Power>,
    waiting: Vec<Waiting>,
    /// How far a number has come in, part by part: the next part.
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
        known
    }

    /// Bits of the modulus, and of the parts in which longer numbers come in.
    pub fn bits(&self) -> u32 {
        self.modulus.bits() as u32
    }

    /// A residue that is `count` and so many of the factors that the kernel keeps to itself was made before: it is told by its value.
    pub fn add_constant(&mut self, count: &BigUint, loads: i32) {
        // `one` is loaded from the inverse of that factor.
        let inverse = self.read(|kernel, out, scratch| kernel.store(out, kernel.one(), scratch));
        let factor = if loads < 0 { inverse } else { inverse.modinv(&self.modulus).unwrap() };
        let value = factor.modpow(&loads.unsigned_abs().into(), &self.modulus) * count % &self.modulus;
        let meaning = Value::default().plus(&Value::from(Power::default()), count, &self.modulus);
        self.constants.push((value, meaning.loaded(loads.into())));
    }

    /// What the kernel writes out.
    fn read(&self, write: impl FnOnce(&dyn Kernel, &mut [u64], &mut [u64])) -> BigUint {
        let dimensions = self.kernel.dimensions();
        let (mut out, mut scratch) = (vec![0; dimensions.limbs], vec![0; dimensions.scratch_words]);
        write(&*self.kernel, &mut out, &mut scratch);
        number(&out)
    }

    /// Residues in a row, and words of it.
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

    /// What an operand is.
    pub fn take(&mut self, form: Form, words: &[u64]) -> Value {
        let value = self.taken(form, Place::of(words), words);
        assert!(
            !value.is_raw(),
            "a loaded number that may not lie below the modulus, in another place than a product's first"
        );
        value
    }

    /// What the first operand of a product is, which may be any number of as many bits as the modulus.
    pub fn take_factor(&mut self, words: &[u64]) -> Value {
        self.taken(RESIDUE, Place::of(words), words)
    }

    /// What the residue in a lane of a row is.
    pub fn take_lane(&mut self, row: &[u64], lane: usize) -> Value {
        let words = self.lane(row, lane);
        self.taken(RESIDUE, Place::in_row(row, lane), &words)
    }

    /// What the residue is that leaves a lane of a row: what stands there later was copied there.
    pub fn take_out(&mut self, row: &[u64], lane: usize) -> Value {
        let value = self.take_lane(row, lane);
        self.by_place.remove(&(RESIDUE, Place::in_row(row, lane)));
        value
    }

    /// What stands where it was given, unless it was looked up and taken since: memory is used again. Else, of all that was looked up with
    /// these words for its lane, the first that nothing has taken.
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

    /// Something was looked up, in whatever forms these words are known.
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

    /// An exponentiation begins: look-ups are counted anew.
    pub fn begin(&mut self) {
        let by_words = std::mem::take(&mut self.by_words);
        if self.before.is_empty() {
            self.before = by_words.into_iter().map(|(at, value)| (at, self.resolved(&value))).collect();
        }
        self.by_place.clear();
        self.looked_up.clear();
        self.waiting.clear();
    }

    /// With what was looked up put in.
    pub fn resolved(&self, value: &Value) -> Value {
        value.resolved(&self.looked_up, &self.modulus)
    }
}

pub fn number(limbs: &[u64]) -> BigUint {
    BigUint::new(limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]).collect())
}
