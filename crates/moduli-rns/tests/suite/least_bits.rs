//! The least t of the Cox for every field and width: the table of `docs/plus-minus.md` is what this computes.

use moduli_rns::{
    base::{Base, BaseShape, Family},
    cox::{Alpha, Cox},
    fields::{FIELDS, Field},
    inverse::{BinaryTernary, Options},
};
use testing::{big, boxed};

const WIDTHS: [u32; 10] = [17, 20, 22, 24, 29, 32, 33, 36, 48, 64];

/// The base with the fewest channels that holds 26·P.
fn least_base(field: Field, width: u32) -> Base {
    let room = boxed(&(big(&field.prime()) * 26u32));
    (1..)
        .find_map(|channels| {
            Base::holding(BaseShape::new(channels, width), &Family::for_residues_modulo(12), &room).ok()
        })
        .unwrap()
}

fn table() -> String {
    let mut table = String::from("| field |");
    table.extend(WIDTHS.map(|width| format!(" w = {width} |")));
    table.push_str("\n| --- |");
    table.extend(WIDTHS.map(|_| " --- |"));
    for field in FIELDS {
        table.push_str(&format!("\n| {} |", field.name));
        let p = big(&field.prime());
        for width in WIDTHS {
            let base = least_base(field, width);
            let (low, high) = (boxed(&(&p * 11u32)), boxed(&(&p * 13u32)));
            let bits = Cox::least_bits(&base, Alpha::HALF, &low, &high).unwrap();
            table.push_str(&format!(" {}: {bits} |", base.count()));
        }
    }
    table
}

#[test]
fn the_table_of_the_page_is_true() {
    let table = table();
    println!("{table}");
    assert!(include_str!("../../../../docs/plus-minus.md").contains(&table), "{table}");
}

/// What the paper takes for every shape is enough for every shape.
#[test]
fn six_bits_are_enough() {
    for field in FIELDS {
        for width in WIDTHS {
            let shape = least_base(field, width).shape();
            let options = Options { top_bits: Some(6), ..Options::default() };
            BinaryTernary::new(&field.prime(), shape, &options).unwrap();
        }
    }
}
