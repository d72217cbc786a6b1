//! Compiles the shared object that shows a process another wall clock.

use std::path::PathBuf;

fn main() {
    let source = "shim/wall_clock.c";
    println!("cargo:rerun-if-changed={source}");
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    let status = cc::Build::new()
        .get_compiler()
        .to_command()
        .args(["-shared", "-fPIC", "-O2", "-o"])
        .arg(folder.join("wall_clock.so"))
        .arg(source)
        .status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "the C compiler could not build {source}"
    );
}
