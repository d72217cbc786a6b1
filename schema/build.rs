//! Migrations are embedded: one that is added is a change of this package, though no file of it names it.

fn main() {
    println!("cargo:rerun-if-changed=../migrations");
}
