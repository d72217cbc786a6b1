//! Prints how many lines of Rust the product has, package by package, as a table.

#![allow(clippy::print_stdout)]

use keno_tidy::{product_lines, repository};

fn main() -> std::io::Result<()> {
    let counted = product_lines::counted(&repository::files()?);
    print!("{}", product_lines::table(&counted));
    Ok(())
}
