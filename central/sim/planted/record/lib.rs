//! A copy of keno-record in which every fault of the folder above is planted, and acts only on the
//! thread that planted it.

#![allow(
    clippy::all,
    reason = "what is copied is judged where it stands, and a fault is no good example"
)]

// A fault asks by the same path in every package.
extern crate self as keno_record;

/// The faults, by name: mistakes that an honest day meets, and doors left open, which somebody must
/// try before anything is wrong.
pub mod faults {
    include!(concat!(env!("OUT_DIR"), "/faults.rs"));
}

thread_local! {
    static PLANTED: std::cell::Cell<&'static str> = const { std::cell::Cell::new("") };
}

/// Does something on this thread with a fault planted there.
pub fn with_planted<T>(fault: &'static str, act: impl FnOnce() -> T) -> T {
    PLANTED.set(fault);
    let came_to = act();
    PLANTED.set("");
    came_to
}

/// True when this fault is planted on this thread.
pub fn planted(fault: &str) -> bool {
    PLANTED.get() == fault
}

include!(concat!(env!("OUT_DIR"), "/src/lib.rs"));
