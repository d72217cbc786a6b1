//! See `keno_fuzz::replay`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| keno_fuzz::replay(bytes));
