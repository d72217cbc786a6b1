//! `DLE EOT`: what a printer says of itself.

use std::io::ErrorKind;
use std::time::Duration;

use super::fault::PrinterFault;
use super::transport::Transport;

/// What a printer says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It is ready.
    Ready,
    /// It says nothing, as many do: not an error.
    Unknown,
    /// It names a trouble.
    Trouble(PrinterFault),
}

/// Bits that every answer to `DLE EOT` has: 0xx1xx10.
const FIXED_MASK: u8 = 0b1001_0011;
const FIXED_BITS: u8 = 0b0001_0010;

/// One question; none when there is no answer that is one.
fn ask(transport: &mut dyn Transport, question: u8, wait: Duration) -> Result<Option<u8>, ()> {
    // Three bytes by hand: the crate's call adds a NUL that a printer would take for text.
    let mut rest: &[u8] = &[0x10, 0x04, question];
    while !rest.is_empty() {
        let sent = transport.send(rest).map_err(|_| ())?;
        if sent == 0 {
            return Err(());
        }
        rest = rest.get(sent..).unwrap_or_default();
    }
    transport.flush().map_err(|_| ())?;
    let mut answer = [0_u8; 1];
    match transport.receive(&mut answer, wait) {
        Ok(0) => Err(()),
        Ok(_) => {
            let [byte] = answer;
            Ok((byte & FIXED_MASK == FIXED_BITS).then_some(byte))
        }
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::TimedOut | ErrorKind::WouldBlock | ErrorKind::Unsupported
            ) =>
        {
            Ok(None)
        }
        Err(_) => Err(()),
    }
}

/// Asks the printer for its state, its offline cause and its paper. A way that breaks while
/// asking is [`PrinterFault::Absent`].
pub fn status(transport: &mut dyn Transport, wait: Duration) -> Status {
    if !transport.can_answer() {
        return Status::Unknown;
    }
    let absent = Status::Trouble(PrinterFault::Absent);
    let printer = match ask(transport, 1, wait) {
        Ok(Some(byte)) => byte,
        Ok(None) => return Status::Unknown,
        Err(()) => return absent,
    };
    let Ok(cause) = ask(transport, 2, wait) else {
        return absent;
    };
    let Ok(paper) = ask(transport, 4, wait) else {
        return absent;
    };
    let is_set = |byte: Option<u8>, bits: u8| byte.is_some_and(|byte| byte & bits != 0);
    if is_set(cause, 0x04) {
        Status::Trouble(PrinterFault::CoverOpen)
    } else if is_set(cause, 0x20) || is_set(paper, 0x60) {
        Status::Trouble(PrinterFault::OutOfPaper)
    } else if printer & 0x08 != 0 {
        Status::Trouble(PrinterFault::Offline)
    } else {
        Status::Ready
    }
}
