//! A way to a printer, whatever it is made of.

use std::io;
use std::time::Duration;

/// A way to a printer, open.
pub trait Transport {
    /// False when nothing is ever said back, so that nothing is asked.
    fn can_answer(&self) -> bool;

    /// Writes some of the bytes and says how many.
    ///
    /// # Errors
    /// As the operating system gives them; `TimedOut` or `WouldBlock` when the printer takes
    /// nothing more.
    fn send(&mut self, bytes: &[u8]) -> io::Result<usize>;

    /// Reads what the printer says, waiting at most `wait`. 0 means that it hung up.
    ///
    /// # Errors
    /// `TimedOut` or `WouldBlock` when it said nothing, `Unsupported` when it never can, others
    /// when the way is broken.
    fn receive(&mut self, buffer: &mut [u8], wait: Duration) -> io::Result<usize>;

    /// Everything sent is on its way.
    ///
    /// # Errors
    /// As the operating system gives them.
    fn flush(&mut self) -> io::Result<()>;

    /// Gives up what was sent and has not left this machine: a job that failed must not come out
    /// later by itself.
    fn discard(&mut self) {}
}
