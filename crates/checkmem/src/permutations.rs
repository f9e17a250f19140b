//! Permutations of the lanes of vectors, and moves under masks.

use iced_x86::{Instruction, Mnemonic, OpKind};

use super::{
    machine::{Machine, Stop},
    report::Leak,
    state::{Int, Vector},
    vector::{Mask, lane_bytes, permuted},
};

impl Machine {
    /// Instructions that permute lanes.
    pub(crate) fn permutations(&mut self, i: &Instruction) -> Result<bool, Stop> {
        use Mnemonic as M;
        // The mask applies to the written lanes. Sources are read completely before lanes move.
        let reads_memory = (1..i.op_count()).any(|operand| i.op_kind(operand) == OpKind::Memory);
        let masked = self.mask(i);
        let lane_by_lane = matches!(
            i.mnemonic(),
            M::Vpblendmq | M::Vblendmpd | M::Vpblendmd | M::Vblendmps | M::Vpscatterqq | M::Vpgatherqq
        );
        if let Some(mask) = masked.filter(|_| reads_memory && !lane_by_lane) {
            let broadcasts = matches!(
                i.mnemonic(),
                M::Vpbroadcastq
                    | M::Vbroadcastsd
                    | M::Vpbroadcastd
                    | M::Vbroadcastss
                    | M::Vpbroadcastb
                    | M::Vpbroadcastw
                    | M::Vbroadcasti64x4
                    | M::Vbroadcastf64x4
                    | M::Vbroadcasti32x4
                    | M::Vbroadcastf32x4
                    | M::Vbroadcasti64x2
                    | M::Vbroadcastf64x2
            );
            if broadcasts {
                self.leak_if(mask.secret != 0, Leak::Mask);
            } else if !matches!(i.op0_kind(), OpKind::Memory) && is_permutation(i.mnemonic()) {
                return Err(self.unknown(i));
            }
        }
        let total = if i.op0_kind() == OpKind::Register { i.op0_register().size() } else { 0 };
        let has_immediate = i.op_count() > 1 && i.op_kind(i.op_count() - 1) == OpKind::Immediate8;
        let n = if has_immediate { Self::last_immediate(i) } else { 0 };
        // The same permutation in each lane of 16 bytes. For each element of `size` bytes, `pick` gives the
        // source and the element.
        let within = |machine: &mut Self, size: usize, pick: &dyn Fn(usize) -> (usize, usize)| {
            let (a, b) = machine.sources(i);
            let each = 16 / size;
            let out = permuted(total, size, &[&a, &b], |lane| {
                let (source, element) = pick(lane % each);
                Some((source, lane / each * each + element))
            });
            machine.vector_put(i, out, total, size);
        };
        match i.mnemonic() {
            M::Punpcklbw | M::Vpunpcklbw => within(self, 1, &|j| (j % 2, j / 2)),
            M::Punpckhbw | M::Vpunpckhbw => within(self, 1, &|j| (j % 2, j / 2 + 8)),
            M::Punpcklwd | M::Vpunpcklwd => within(self, 2, &|j| (j % 2, j / 2)),
            M::Punpckhwd | M::Vpunpckhwd => within(self, 2, &|j| (j % 2, j / 2 + 4)),
            M::Punpckldq | M::Vpunpckldq | M::Unpcklps | M::Vunpcklps => within(self, 4, &|j| (j % 2, j / 2)),
            M::Punpckhdq | M::Vpunpckhdq | M::Unpckhps | M::Vunpckhps => {
                within(self, 4, &|j| (j % 2, j / 2 + 2))
            }
            M::Punpcklqdq | M::Vpunpcklqdq | M::Unpcklpd | M::Vunpcklpd => within(self, 8, &|j| (j, 0)),
            M::Punpckhqdq | M::Vpunpckhqdq | M::Unpckhpd | M::Vunpckhpd => within(self, 8, &|j| (j, 1)),
            M::Shufps | M::Vshufps => within(self, 4, &|j| (j / 2, n >> (2 * j) & 3)),
            M::Shufpd | M::Vshufpd => {
                let (a, b) = self.sources(i);
                let out = permuted(total, 8, &[&a, &b], |j| Some((j % 2, (j & !1) + (n >> j & 1))));
                self.vector_put(i, out, total, 8);
            }
            M::Pshufd
            | M::Vpshufd
            | M::Pshuflw
            | M::Vpshuflw
            | M::Pshufhw
            | M::Vpshufhw
            | M::Vpermilpd
            | M::Vpermilps
                if has_immediate =>
            {
                let x = self.vector_get(i, 1);
                let (size, mnemonic) = (
                    match i.mnemonic() {
                        M::Pshufd | M::Vpshufd | M::Vpermilps => 4,
                        M::Vpermilpd => 8,
                        _ => 2,
                    },
                    i.mnemonic(),
                );
                let each = 16 / size;
                let out = permuted(total, size, &[&x], |lane| {
                    let j = lane % each;
                    let element = match mnemonic {
                        M::Vpermilpd => n >> lane & 1,
                        M::Pshuflw | M::Vpshuflw if j >= 4 => j,
                        M::Pshufhw | M::Vpshufhw if j < 4 => j,
                        M::Pshufhw | M::Vpshufhw => 4 + (n >> (2 * (j - 4)) & 3),
                        _ => n >> (2 * j) & 3,
                    };
                    Some((0, lane / each * each + element))
                });
                self.vector_put(i, out, total, size);
            }
            M::Pshufb | M::Vpshufb => {
                let (x, control) = self.sources(i);
                let mut out = permuted(total, 1, &[&x], |lane| {
                    let c = control.get(lane, 1).value as usize;
                    (c < 128).then_some((0, (lane & !15) + c % 16))
                });
                out.secret |= control.secret;
                self.vector_put(i, out, total, 1);
            }
            M::Palignr | M::Vpalignr => {
                let (high, low) = self.sources(i);
                let out = permuted(total, 1, &[&low, &high], |lane| {
                    let at = lane % 16 + n;
                    (at < 32).then_some((at / 16, (lane & !15) + at % 16))
                });
                self.vector_put(i, out, total, 1);
            }
            M::Pslldq | M::Vpslldq | M::Psrldq | M::Vpsrldq => {
                let x = self.vector_get(i, if Self::is_legacy(i) { 0 } else { 1 });
                let left = matches!(i.mnemonic(), M::Pslldq | M::Vpslldq);
                let out = permuted(total, 1, &[&x], |lane| {
                    let at = if left { (lane % 16).checked_sub(n)? } else { lane % 16 + n };
                    (at < 16).then_some((0, (lane & !15) + at))
                });
                self.vector_put(i, out, total, 1);
            }
            M::Valignq | M::Valignd => {
                let size = if i.mnemonic() == M::Valignq { 8 } else { 4 };
                let (high, low) = self.sources(i);
                let lanes = total / size;
                let out = permuted(total, size, &[&low, &high], |lane| {
                    let at = lane + n % lanes;
                    Some((at / lanes, at % lanes))
                });
                self.vector_put(i, out, total, size);
            }
            M::Vpermq | M::Vpermpd if has_immediate => {
                let x = self.vector_get(i, 1);
                let out =
                    permuted(total, 8, &[&x], |lane| Some((0, (lane & !3) + (n >> (2 * (lane % 4)) & 3))));
                self.vector_put(i, out, total, 8);
            }
            M::Vpermq | M::Vpermpd | M::Vpermd | M::Vpermps => {
                let size = if matches!(i.mnemonic(), M::Vpermq | M::Vpermpd) { 8 } else { 4 };
                let (places, x) = (self.vector_get(i, 1), self.vector_get(i, 2));
                let lanes = total / size;
                let mut out = permuted(total, size, &[&x], |lane| {
                    Some((0, places.get(lane, size).value as usize % lanes))
                });
                for lane in (0..lanes).filter(|&lane| places.get(lane, size).is_secret()) {
                    out.secret |= lane_bytes(lane, size);
                }
                self.vector_put(i, out, total, size);
            }
            M::Vpermt2q | M::Vpermt2pd | M::Vpermi2q | M::Vpermi2pd => {
                let (second, third) = (self.vector_get(i, 1), self.vector_get(i, 2));
                let first = self.vector_get(i, 0);
                let (places, a) = if matches!(i.mnemonic(), M::Vpermi2q | M::Vpermi2pd) {
                    (first, second)
                } else {
                    (second, first)
                };
                let lanes = total / 8;
                let mut out = permuted(total, 8, &[&a, &third], |lane| {
                    let at = places.get(lane, 8).value as usize % (2 * lanes);
                    Some((at / lanes, at % lanes))
                });
                for lane in (0..lanes).filter(|&lane| places.get(lane, 8).is_secret()) {
                    out.secret |= lane_bytes(lane, 8);
                }
                self.vector_put(i, out, total, 8);
            }
            M::Vperm2i128 | M::Vperm2f128 => {
                let (a, b) = self.sources(i);
                let out = permuted(32, 8, &[&a, &b], |lane| {
                    let control = n >> (4 * (lane / 2));
                    (control & 8 == 0).then_some((control >> 1 & 1, 2 * (control & 1) + lane % 2))
                });
                self.vector_put(i, out, total, 8);
            }
            M::Vshufi64x2 | M::Vshuff64x2 => {
                let (a, b) = self.sources(i);
                let (lanes, bits) = (total / 16, if total == 64 { 2 } else { 1 });
                let out = permuted(total, 8, &[&a, &b], |lane| {
                    let block = lane / 2;
                    let chosen = n >> (bits * block) & ((1 << bits) - 1);
                    Some((block / (lanes / 2), 2 * chosen + lane % 2))
                });
                self.vector_put(i, out, total, 8);
            }
            M::Vinserti128
            | M::Vinsertf128
            | M::Vinserti64x2
            | M::Vinsertf64x2
            | M::Vinserti32x4
            | M::Vinsertf32x4
            | M::Vinserti64x4
            | M::Vinsertf64x4 => {
                let words = if matches!(i.mnemonic(), M::Vinserti64x4 | M::Vinsertf64x4) { 4 } else { 2 };
                let (a, b) = self.sources(i);
                let first = n % (total / (8 * words)) * words;
                let out = permuted(total, 8, &[&a, &b], |lane| {
                    Some(if (first..first + words).contains(&lane) { (1, lane - first) } else { (0, lane) })
                });
                self.vector_put(i, out, total, 8);
            }
            M::Vextracti128
            | M::Vextractf128
            | M::Vextracti64x2
            | M::Vextractf64x2
            | M::Vextracti32x4
            | M::Vextractf32x4
            | M::Vextracti64x4
            | M::Vextractf64x4 => {
                let words = if matches!(i.mnemonic(), M::Vextracti64x4 | M::Vextractf64x4) { 4 } else { 2 };
                let x = self.vector_get(i, 1);
                let first = n % (self.vector_size(i, 1) / (8 * words)) * words;
                let out = permuted(8 * words, 8, &[&x], |lane| Some((0, first + lane)));
                self.vector_put(i, out, 8 * words, 8);
            }
            M::Vpbroadcastq
            | M::Vbroadcastsd
            | M::Vpbroadcastd
            | M::Vbroadcastss
            | M::Vpbroadcastb
            | M::Vpbroadcastw => {
                let size = match i.mnemonic() {
                    M::Vpbroadcastq | M::Vbroadcastsd => 8,
                    M::Vpbroadcastd | M::Vbroadcastss => 4,
                    M::Vpbroadcastw => 2,
                    _ => 1,
                };
                let element = match i.op1_kind() {
                    OpKind::Register => self.vector_get(i, 1).get(0, size),
                    _ => {
                        let address = self.address(i);
                        self.load(address, size)
                    }
                };
                let mut out = Vector::default();
                (0..total / size).for_each(|lane| out.set(lane, size, element));
                self.vector_put(i, out, total, size);
            }
            M::Vbroadcasti128
            | M::Vbroadcastf128
            | M::Vbroadcasti64x2
            | M::Vbroadcastf64x2
            | M::Vbroadcasti32x4
            | M::Vbroadcastf32x4
            | M::Vbroadcasti64x4
            | M::Vbroadcastf64x4 => {
                let address = self.address(i);
                let words = i.memory_size().size() / 8;
                let x = self.load_vector(address, 8 * words);
                self.vector_put(i, permuted(total, 8, &[&x], |lane| Some((0, lane % words))), total, 8);
            }
            M::Vpblendd | M::Vblendps | M::Blendps | M::Vblendpd | M::Blendpd | M::Pblendw | M::Vpblendw => {
                let size = match i.mnemonic() {
                    M::Vblendpd | M::Blendpd => 8,
                    M::Pblendw | M::Vpblendw => 2,
                    _ => 4,
                };
                let (a, b) = self.sources(i);
                let out = permuted(total, size, &[&a, &b], |lane| Some((n >> (lane % 8) & 1, lane)));
                self.vector_put(i, out, total, size);
            }
            M::Vblendvpd | M::Vblendvps | M::Vpblendvb => {
                let size = match i.mnemonic() {
                    M::Vblendvpd => 8,
                    M::Vblendvps => 4,
                    _ => 1,
                };
                let (a, b) = self.sources(i);
                let control = self.vector_get(i, 3);
                let top = |lane: usize| control.get(lane, size).value >> (8 * size - 1) & 1;
                let mut out = permuted(total, size, &[&a, &b], |lane| Some((top(lane) as usize, lane)));
                for lane in 0..total / size {
                    if control.get(lane, size).secret >> (size - 1) & 1 == 1 {
                        out.secret |= lane_bytes(lane, size);
                    }
                }
                self.vector_put(i, out, total, size);
            }
            M::Vpblendmq | M::Vblendmpd | M::Vpblendmd | M::Vblendmps => {
                let size = if matches!(i.mnemonic(), M::Vpblendmq | M::Vblendmpd) { 8 } else { 4 };
                let (a, b) = self.sources(i);
                let mask = self.mask(i).unwrap_or(Mask { bits: u64::MAX, secret: 0 });
                let zeroes = i.zeroing_masking();
                let mut out = permuted(total, size, &[&a, &b], |lane| {
                    let chosen = mask.bits >> lane & 1;
                    (chosen == 1 || !zeroes).then_some((chosen as usize, lane))
                });
                for lane in (0..total / size).filter(|lane| mask.secret >> lane & 1 == 1) {
                    out.secret |= lane_bytes(lane, size);
                }
                // The mask was already applied.
                self.state.vectors[i.op0_register().number()] = out;
            }
            M::Vpmovsxdq | M::Pmovsxdq | M::Vpmovzxdq | M::Pmovzxdq => {
                let x = self.vector_get(i, 1);
                let signed = matches!(i.mnemonic(), M::Vpmovsxdq | M::Pmovsxdq);
                let mut out = Vector::default();
                for lane in 0..total / 8 {
                    let from = x.get(lane, 4);
                    let value = if signed { from.value as u32 as i32 as i64 as u64 } else { from.value };
                    let above = if signed && from.secret & 8 != 0 { 0xf0 } else { 0 };
                    out.set(lane, 8, Int { value, secret: from.secret | above });
                }
                self.vector_put(i, out, total, 8);
            }
            M::Vpmaskmovq | M::Vpmaskmovd | M::Vmaskmovpd | M::Vmaskmovps => self.masked_move(i),
            M::Vpgatherqq if self.mask(i).is_none() => return Err(self.unknown(i)),
            M::Vpscatterqq | M::Vpgatherqq => self.scatter_or_gather(i),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `vpmaskmov`: the sign of each lane of the second operand decides whether memory is accessed.
    fn masked_move(&mut self, i: &Instruction) {
        let size = if matches!(i.mnemonic(), Mnemonic::Vpmaskmovq | Mnemonic::Vmaskmovpd) { 8 } else { 4 };
        let control = self.vector_get(i, 1);
        let total = self.vector_size(i, 1);
        let address = self.address(i);
        let tops = (0..total / size).map(|lane| control.get(lane, size));
        self.leak_if(tops.clone().any(|x| x.secret >> (size - 1) & 1 == 1), Leak::Mask);
        let touched: Vec<_> = tops.map(|x| x.value >> (8 * size - 1) == 1).collect();
        let mut out = Vector::default();
        let source = if i.op0_kind() == OpKind::Memory { self.vector_get(i, 2) } else { Vector::default() };
        for (lane, _) in touched.iter().enumerate().filter(|(_, touched)| **touched) {
            let at = address + (lane * size) as u64;
            if i.op0_kind() == OpKind::Memory {
                self.store(at, size, source.get(lane, size));
            } else {
                out.set(lane, size, self.load(at, size));
            }
        }
        if i.op0_kind() == OpKind::Register {
            self.vector_put(i, out, total, size);
        }
    }

    /// Moves lanes to or from an address for each lane.
    fn scatter_or_gather(&mut self, i: &Instruction) {
        let scatters = i.mnemonic() == Mnemonic::Vpscatterqq;
        let register = if scatters { i.op1_register() } else { i.op0_register() };
        let places = self.state.vectors[i.memory_index().number()];
        let base = self.state.read(i.memory_base());
        let mask = self.mask(i);
        let mut x = self.state.vectors[register.number()];
        for lane in 0..register.size() / 8 {
            let place = places.get(lane, 8);
            let bit = mask.map_or(1, |mask| mask.bits >> lane & 1);
            let secret = mask.is_some_and(|mask| mask.secret >> lane & 1 == 1);
            self.leak_if(place.is_secret() || base.is_secret(), Leak::Address);
            self.leak_if(secret, Leak::Mask);
            if bit == 0 {
                continue;
            }
            let offset = place.value.wrapping_mul(i.memory_index_scale().into());
            let at = base.value.wrapping_add(offset).wrapping_add(i.memory_displacement64());
            if scatters {
                self.store(at, 8, x.get(lane, 8));
            } else {
                x.set(lane, 8, self.load(at, 8));
            }
        }
        if !scatters {
            self.state.vectors[register.number()] = x.cut(register.size());
        }
        if mask.is_some() {
            self.state.masks[i.op_mask().number()] = 0;
            self.state.mask_secrets[i.op_mask().number()] = 0;
        }
    }
}

/// Whether lanes of the last source can move to other lanes of the result.
fn is_permutation(mnemonic: Mnemonic) -> bool {
    let name = format!("{mnemonic:?}").to_lowercase();
    ["perm", "shuf", "unpck", "align", "insert", "extract", "movddup", "movsx", "movzx"]
        .iter()
        .any(|part| name.contains(part))
}
