//! A serial line: its speed, its parity, and who tells whom to wait.

use std::io;
use std::os::fd::AsFd;
use std::time::Duration;

use rustix::termios::{
    ControlModes, InputModes, OptionalActions, QueueSelector, SpecialCodeIndex, tcflush, tcgetattr,
    tcsetattr,
};
use serde::{Deserialize, Serialize};

/// Speeds in bauds that devices at a counter have.
pub const SPEEDS: [u32; 8] = [
    2_400, 4_800, 9_600, 19_200, 38_400, 57_600, 115_200, 230_400,
];

/// The bit that checks each character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parity {
    /// There is none.
    #[default]
    None,
    /// An even number of ones.
    Even,
    /// An odd number of ones.
    Odd,
}

/// How a device says that it can take no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flow {
    /// By a wire. This system listens to CTS: the cable leads a printer's DTR there.
    #[default]
    Wire,
    /// By the characters XOFF and XON.
    XonXoff,
    /// It does not.
    None,
}

/// A serial line; always eight bits and one stop bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SerialLine {
    /// Speed in bauds, one of [`SPEEDS`].
    pub speed: u32,
    /// Parity.
    pub parity: Parity,
    /// Who waits, and how they know.
    pub flow: Flow,
}

impl SerialLine {
    /// How long the line takes for so many bytes.
    pub fn time_of(&self, bytes: usize) -> Duration {
        // Start, eight bits, stop; and the parity.
        let bits = if self.parity == Parity::None { 10 } else { 11 };
        let bits = u64::try_from(bytes)
            .unwrap_or(u64::MAX)
            .saturating_mul(bits);
        Duration::from_millis(bits.saturating_mul(1_000) / u64::from(self.speed.max(1)))
    }

    /// Sets a line that is open, and forgets what was said on it before.
    ///
    /// # Errors
    /// As the operating system gives them; `InvalidInput` for a speed that it does not have.
    pub fn set<D: AsFd>(&self, device: &D) -> io::Result<()> {
        let mut modes = tcgetattr(device)?;
        modes.make_raw();
        modes.set_speed(self.speed)?;
        modes
            .control_modes
            .insert(ControlModes::CREAD | ControlModes::CLOCAL);
        modes
            .control_modes
            .remove(ControlModes::CSTOPB | ControlModes::PARENB | ControlModes::PARODD);
        modes
            .control_modes
            .set(ControlModes::CRTSCTS, self.flow == Flow::Wire);
        modes
            .control_modes
            .set(ControlModes::PARENB, self.parity != Parity::None);
        modes
            .control_modes
            .set(ControlModes::PARODD, self.parity == Parity::Odd);
        modes
            .input_modes
            .set(InputModes::IXON, self.flow == Flow::XonXoff);
        modes
            .input_modes
            .remove(InputModes::IXOFF | InputModes::IXANY);
        modes.special_codes[SpecialCodeIndex::VMIN] = 0;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(device, OptionalActions::Now, &modes)?;
        tcflush(device, QueueSelector::IFlush)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_takes_seconds_on_a_slow_line() {
        let line = |speed, parity| SerialLine {
            speed,
            parity,
            flow: Flow::Wire,
        };
        assert_eq!(
            line(9_600, Parity::None).time_of(1_920),
            Duration::from_secs(2)
        );
        assert_eq!(
            line(9_600, Parity::Odd).time_of(9_600),
            Duration::from_secs(11)
        );
        assert_eq!(line(0, Parity::None).time_of(0), Duration::ZERO);
    }
}
