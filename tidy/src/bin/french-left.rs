//! Prints how much French is left in the code of the product, file by file, as the list that the
//! rule reads.

#![allow(clippy::print_stdout)]

use keno_tidy::{french, repository};

fn main() -> std::io::Result<()> {
    let counted = french::counted(&repository::files()?);
    print!("{}", french::written(&counted));
    Ok(())
}
