//! Decodes instructions into operations on words. The decoder is `yaxpeax-arm`; this file handles those of
//! its results that occur.

use yaxpeax_arch::{Decoder, U8Reader};
use yaxpeax_arm::armv8::a64::{
    InstDecoder, Instruction as Decoded, Opcode, Operand as O, SIMDSizeCode, ShiftStyle, SizeCode,
};

use super::operation::{
    Address, Logic, Operation, Otherwise, Place, Second, Shift, Target, Test, ZERO, half,
};

/// The operations, the name and the operands of the instruction at an address. There are no operations if it
/// is not known.
pub(super) fn decode(address: u64, bytes: [u8; 4]) -> (Vec<Operation>, String) {
    match InstDecoder::default().decode(&mut U8Reader::new(&bytes)) {
        Ok(decoded) if is_as_it_should_be(&decoded, u32::from_le_bytes(bytes)) => {
            (operations(&decoded, address).unwrap_or_default(), decoded.to_string())
        }
        Ok(decoded) => (Vec::new(), decoded.to_string()),
        Err(_) => (Vec::new(), format!("{:08x}", u32::from_le_bytes(bytes))),
    }
}

/// Whether bits that the decoder ignores have their required values.
fn is_as_it_should_be(decoded: &Decoded, word: u32) -> bool {
    use Opcode as C;
    match decoded.opcode {
        C::ADC | C::ADCS | C::SBC | C::SBCS => word >> 21 & 1 == 0,
        C::UMULH => word >> 10 & 0x1f == 0x1f,
        _ => true,
    }
}

fn bits(size: SizeCode) -> u32 {
    if size == SizeCode::X { 64 } else { 32 }
}

/// A general register, and its number of bits.
fn register(operand: O) -> Option<(Place, u32)> {
    match operand {
        O::Register(size, number) => Some((if number == 31 { ZERO } else { number as Place }, bits(size))),
        O::RegisterOrSP(size, number) => Some((number as Place, bits(size))),
        _ => None,
    }
}

/// A vector of 16 bytes.
fn vector(operand: O) -> Option<u16> {
    match operand {
        O::SIMDRegisterElements(SIMDSizeCode::Q, number, _) => Some(number),
        _ => None,
    }
}

fn number(operand: O) -> Option<u64> {
    Some(match operand {
        O::Immediate(x) => x.into(),
        O::Imm16(x) => x.into(),
        O::Imm64(x) => x,
        O::ImmShift(x, by) => u64::from(x).checked_shl(by.into())?,
        _ => return None,
    })
}

/// The second operand; `width` is that of the instruction.
fn second(operand: O, width: u32) -> Option<Second> {
    if let Some(x) = number(operand) {
        return Some(Second::Immediate(x));
    }
    if let Some((place, bits)) = register(operand) {
        return Some(Second::Register(place, bits, Shift::Left, 0));
    }
    let O::RegShift(style, by, size, number) = operand else { return None };
    let shift = match style {
        ShiftStyle::LSL => Shift::Left,
        ShiftStyle::LSR => Shift::Right,
        ShiftStyle::ASR => Shift::Signed,
        _ => return None,
    };
    // A shorter register is extended with zeros.
    let is_plain = bits(size) == width || shift == Shift::Left;
    is_plain.then_some(Second::Register(
        if number == 31 { ZERO } else { number as Place },
        bits(size),
        shift,
        by.into(),
    ))
}

/// An address, and what is added to its register afterwards.
fn address(operand: O) -> Option<(Address, Option<(Place, i64)>)> {
    let at = |base: u16, offset: i32| Address { base: base as Place, index: None, offset: offset.into() };
    Some(match operand {
        O::RegPreIndex(base, offset, writes) => {
            (at(base, offset), writes.then_some((base as Place, offset.into())))
        }
        O::RegPostIndex(base, offset) => (at(base, 0), Some((base as Place, offset.into()))),
        O::RegRegOffset(base, index, size, ShiftStyle::LSL, by) => {
            let index = if index == 31 { ZERO } else { index as Place };
            (Address { index: Some((index, bits(size), by.into())), ..at(base, 0) }, None)
        }
        _ => return None,
    })
}

/// The operations of an instruction, if it is known.
fn operations(decoded: &Decoded, here: u64) -> Option<Vec<Operation>> {
    use Opcode as C;
    let [a, b, c, d] = decoded.operands;
    if decoded.operands.iter().any(|operand| vector(*operand).is_some()) {
        return on_vectors(decoded);
    }
    let there = |operand: O| match operand {
        O::PCOffset(distance) => Some(here.wrapping_add_signed(distance)),
        _ => None,
    };
    let branch = |target, test, calls, returns| Operation::Branch { target, test, calls, returns };
    let condition = |operand: O| match operand {
        O::ConditionCode(condition) => Some(condition),
        _ => None,
    };
    let one = match decoded.opcode {
        C::HINT => Operation::Nop,
        C::BRK => Operation::Break,
        C::B => branch(Target::At(there(a)?), None, false, false),
        C::BL => branch(Target::At(there(a)?), None, true, false),
        C::BR => branch(Target::In(register(a)?.0), None, false, false),
        C::BLR => branch(Target::In(register(a)?.0), None, true, false),
        C::RET => branch(Target::In(register(a)?.0), None, false, true),
        C::Bcc(condition) => branch(Target::At(there(a)?), Some(Test::Flags(condition)), false, false),
        C::CBZ | C::CBNZ => {
            let (place, bits) = register(a)?;
            let test = Test::IsZero(place, bits, decoded.opcode == C::CBZ);
            branch(Target::At(there(b)?), Some(test), false, false)
        }
        C::TBZ | C::TBNZ => {
            let test = Test::Bit(register(a)?.0, number(b)? as u32, decoded.opcode == C::TBNZ);
            branch(Target::At(there(c)?), Some(test), false, false)
        }
        C::LDR
        | C::LDUR
        | C::LDP
        | C::LDRB
        | C::LDURB
        | C::LDRH
        | C::LDURH
        | C::LDRSW
        | C::LDRSB
        | C::STR
        | C::STUR
        | C::STP
        | C::STRB
        | C::STURB
        | C::STRH
        | C::STURH => {
            return on_memory(decoded);
        }
        _ => {
            let (to, bits) = register(a)?;
            match decoded.opcode {
                C::MOVZ => Operation::Set { to, value: number(b)? },
                C::MOVN => Operation::Set {
                    to,
                    value: !number(b)? & if bits == 32 { u32::MAX.into() } else { u64::MAX },
                },
                C::MOVK => {
                    let O::ImmShift(value, at) = b else { return None };
                    Operation::Keep { to, value: value.into(), at: at.into(), bits }
                }
                C::ADR => Operation::Set { to, value: there(b)? },
                C::ADRP => {
                    let O::PCOffset(distance) = b else { return None };
                    Operation::Set { to, value: (here & !0xfff).wrapping_add_signed(distance) }
                }
                C::ADD | C::ADDS | C::SUB | C::SUBS | C::ADC | C::ADCS | C::SBC | C::SBCS => Operation::Add {
                    to,
                    x: register(b)?.0,
                    y: second(c, bits)?,
                    subtracts: matches!(decoded.opcode, C::SUB | C::SUBS | C::SBC | C::SBCS),
                    with_carry: matches!(decoded.opcode, C::ADC | C::ADCS | C::SBC | C::SBCS),
                    sets_flags: matches!(decoded.opcode, C::ADDS | C::SUBS | C::ADCS | C::SBCS),
                    bits,
                },
                C::AND | C::ANDS | C::BIC | C::BICS | C::ORR | C::ORN | C::EOR | C::EON => Operation::Logic {
                    to,
                    x: register(b)?.0,
                    y: second(c, bits)?,
                    logic: match decoded.opcode {
                        C::ORR | C::ORN => Logic::Or,
                        C::EOR | C::EON => Logic::Xor,
                        _ => Logic::And,
                    },
                    inverts: matches!(decoded.opcode, C::BIC | C::BICS | C::ORN | C::EON),
                    sets_flags: matches!(decoded.opcode, C::ANDS | C::BICS),
                    bits,
                },
                C::CSEL | C::CSINC | C::CSINV | C::CSNEG => Operation::Choose {
                    to,
                    x: register(b)?.0,
                    y: register(c)?.0,
                    condition: condition(d)?,
                    otherwise: match decoded.opcode {
                        C::CSINC => Otherwise::Increased,
                        C::CSINV => Otherwise::Inverted,
                        C::CSNEG => Otherwise::Negated,
                        _ => Otherwise::Plain,
                    },
                    bits,
                },
                C::CCMP | C::CCMN => Operation::Compare {
                    x: to,
                    y: second(b, bits)?,
                    subtracts: decoded.opcode == C::CCMP,
                    condition: condition(d)?,
                    flags: number(c)? as u8,
                    bits,
                },
                C::UBFM | C::SBFM => Operation::Field {
                    to,
                    from: register(b)?.0,
                    rotate: number(c)? as u32,
                    last: number(d)? as u32,
                    is_signed: decoded.opcode == C::SBFM,
                    bits,
                },
                C::EXTR => Operation::Extract {
                    to,
                    high: register(b)?.0,
                    low: register(c)?.0,
                    by: number(d)? as u32,
                    bits,
                },
                C::MADD | C::MSUB | C::UMADDL => Operation::Multiply {
                    to,
                    x: register(b)?.0,
                    y: register(c)?.0,
                    with: register(d)?.0,
                    subtracts: decoded.opcode == C::MSUB,
                    bits,
                    of: register(b)?.1,
                },
                C::UMULH => Operation::MultiplyHigh { to, x: register(b)?.0, y: register(c)?.0 },
                C::UDIV => Operation::Divide { to, x: register(b)?.0, y: register(c)?.0, bits },
                C::LSLV | C::LSRV | C::ASRV => Operation::ShiftBy {
                    to,
                    x: register(b)?.0,
                    by: register(c)?.0,
                    shift: match decoded.opcode {
                        C::LSLV => Shift::Left,
                        C::LSRV => Shift::Right,
                        _ => Shift::Signed,
                    },
                    bits,
                },
                C::CLZ => Operation::Zeros { to, x: register(b)?.0, bits },
                C::RBIT => Operation::Reverse { to, x: register(b)?.0, bits },
                _ => return None,
            }
        }
    };
    Some(vec![one])
}

/// Loads and stores.
fn on_memory(decoded: &Decoded) -> Option<Vec<Operation>> {
    use Opcode as C;
    let mut places = Vec::new();
    let mut size = 8;
    let mut upper = Vec::new();
    let mut operands = decoded.operands.into_iter();
    let (address, after) = loop {
        let operand = operands.next()?;
        match operand {
            O::SIMDRegister(SIMDSizeCode::Q, number) => {
                places.extend([false, true].map(|upper| half(number, upper)))
            }
            O::SIMDRegister(SIMDSizeCode::D, number) => {
                places.push(half(number, false));
                upper.push(half(number, true));
            }
            O::Register(width, _) => {
                places.push(register(operand)?.0);
                size = bits(width) as usize / 8;
            }
            _ => break address(operand)?,
        }
    };
    let is_load =
        !matches!(decoded.opcode, C::STR | C::STUR | C::STP | C::STRB | C::STURB | C::STRH | C::STURH);
    let mut sign = None;
    match decoded.opcode {
        C::LDRB | C::LDURB | C::STRB | C::STURB => size = 1,
        C::LDRH | C::LDURH | C::STRH | C::STURH => size = 2,
        C::LDRSB => (sign, size) = (Some(8 * size as u32), 1),
        C::LDRSW => (sign, size) = (Some(64), 4),
        _ => {}
    }
    // A loaded register must not be one that the instruction also increments, as the manual says.
    let mut all = vec![match is_load {
        true => Operation::Load { to: places, address, size, sign },
        false => Operation::Store { from: places, address, size },
    }];
    if is_load {
        all.extend(upper.into_iter().map(|to| Operation::Set { to, value: 0 }));
    }
    if let Some((place, by)) = after {
        let y = Second::Immediate(by.unsigned_abs());
        let subtracts = by < 0;
        let (with_carry, sets_flags) = (false, false);
        let mut moved = address;
        if decoded.operands.iter().any(|operand| matches!(operand, O::RegPreIndex(..))) {
            // The address uses the old value of the register.
            moved.offset = by;
        }
        if let Operation::Load { address, .. } | Operation::Store { address, .. } = &mut all[0] {
            *address = moved;
        }
        all.push(Operation::Add { to: place, x: place, y, subtracts, with_carry, sets_flags, bits: 64 });
    }
    Some(all)
}

/// Instructions on both halves of vectors.
fn on_vectors(decoded: &Decoded) -> Option<Vec<Operation>> {
    use Opcode as C;
    let [a, b, c, _] = decoded.operands;
    let to = vector(a)?;
    let halves = [false, true];
    let plain = |place| Second::Register(place, 64, Shift::Left, 0);
    let logic = |to, x, y, logic, inverts| {
        let sets_flags = false;
        Operation::Logic { to, x, y: plain(y), logic, inverts, sets_flags, bits: 64 }
    };
    let moved = |to, from| logic(to, ZERO, from, Logic::Or, false);
    Some(match decoded.opcode {
        C::MOVI if matches!(b, O::Imm64(_)) => {
            let value = number(b)?;
            halves.map(|upper| Operation::Set { to: half(to, upper), value }).to_vec()
        }
        C::DUP => match b {
            O::Register(SizeCode::X, _) => {
                let from = register(b)?.0;
                halves.map(|upper| moved(half(to, upper), from)).to_vec()
            }
            O::SIMDRegisterElementsLane(_, from, SIMDSizeCode::D, lane) => {
                // Read the other half first, because it may be of the same vector.
                let from = half(from, lane == 1);
                let order = if lane == 1 { [false, true] } else { [true, false] };
                order.map(|upper| moved(half(to, upper), from)).to_vec()
            }
            _ => return None,
        },
        C::NOT => {
            let from = vector(b)?;
            halves.map(|upper| logic(half(to, upper), ZERO, half(from, upper), Logic::Or, true)).to_vec()
        }
        C::AND | C::BIC | C::ORR | C::ORN | C::EOR => {
            let (x, y) = (vector(b)?, vector(c)?);
            let (kind, inverts) = match decoded.opcode {
                C::AND => (Logic::And, false),
                C::BIC => (Logic::And, true),
                C::ORR => (Logic::Or, false),
                C::ORN => (Logic::Or, true),
                _ => (Logic::Xor, false),
            };
            halves.map(|upper| logic(half(to, upper), half(x, upper), half(y, upper), kind, inverts)).to_vec()
        }
        C::BSL | C::BIT | C::BIF => {
            let (x, y) = (vector(b)?, vector(c)?);
            let blend = |upper| {
                let [to, x, y] = [to, x, y].map(|vector| half(vector, upper));
                let (mask, one, zero) = match decoded.opcode {
                    C::BSL => (to, x, y),
                    C::BIT => (y, x, to),
                    _ => (y, to, x),
                };
                Operation::Blend { to, mask, x: one, y: zero }
            };
            halves.map(blend).to_vec()
        }
        _ => return None,
    })
}
