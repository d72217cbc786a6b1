//! See `keno_fuzz::code`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| keno_fuzz::code(bytes));
