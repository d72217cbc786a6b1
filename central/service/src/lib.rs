//! The use cases of central and the one door through which every fact passes.
