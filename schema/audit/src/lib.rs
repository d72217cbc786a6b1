//! The second computation of draws and prizes, and the auditor's program.
