//! What instructions read and write, according to the decoder.

use iced_x86::{Instruction, Mnemonic, OpAccess, OpKind};

use super::{Lifter, Uses};

impl Lifter<'_> {
    pub(super) fn uses(&mut self, instruction: &Instruction) -> Uses {
        let information = self.information.info(instruction);
        let mut uses = Uses { reads: Vec::new(), writes: Vec::new(), addresses: Vec::new() };
        for used in information.used_registers() {
            let (reads, writes) = match used.access() {
                OpAccess::Read | OpAccess::CondRead => (true, false),
                OpAccess::Write => (false, true),
                // A conditional write keeps some of the previous contents.
                OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
                OpAccess::None | OpAccess::NoMemAccess => (false, false),
            };
            if reads {
                uses.reads.push(used.register());
            }
            if writes {
                uses.writes.push(used.register());
            }
        }
        // A register that is compared with itself does not count as read.
        let is_own_comparison = matches!(
            instruction.mnemonic(),
            Mnemonic::Pcmpeqb | Mnemonic::Pcmpeqw | Mnemonic::Pcmpeqd | Mnemonic::Pcmpeqq
        ) && instruction.op0_register() == instruction.op1_register();
        let is_own_lane_comparison = matches!(
            instruction.mnemonic(),
            Mnemonic::Vpcmpeqb | Mnemonic::Vpcmpeqw | Mnemonic::Vpcmpeqd | Mnemonic::Vpcmpeqq
        ) && instruction.op0_register().is_vector_register()
            && instruction.op2_kind() == OpKind::Register
            && instruction.op1_register() == instruction.op2_register();
        // The result is all ones, whatever the operands are.
        let is_constant = matches!(instruction.mnemonic(), Mnemonic::Vpternlogd | Mnemonic::Vpternlogq)
            && instruction.immediate8() == 0xff
            && (!instruction.has_op_mask() || instruction.zeroing_masking());
        if is_own_comparison || is_own_lane_comparison || is_constant {
            uses.reads.retain(|register| register.is_k());
        }
        for used in information.used_memory() {
            if used.access() != OpAccess::NoMemAccess {
                uses.addresses
                    .extend([used.base(), used.index()].iter().filter(|register| register.is_gpr()));
            }
        }
        uses
    }
}
