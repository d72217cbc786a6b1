//! ESC/POS commands, one at a time, from bytes.

const LF: u8 = 0x0A;
const DLE: u8 = 0x10;
const ESC: u8 = 0x1B;
const GS: u8 = 0x1D;

/// A command, or one character to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// A byte of text, to be read in the page that is set.
    Character(u8),
    /// `LF`: prints the line.
    LineFeed,
    /// `ESC @`.
    Initialise,
    /// `ESC t n`.
    Page(u8),
    /// `ESC a n`: 0 left, 1 centre, 2 right.
    Justify(u8),
    /// `ESC E n`.
    Emphasis(bool),
    /// `ESC d n`: prints the line and feeds.
    Feed(u8),
    /// `ESC p m t1 t2`: a pulse for the cash drawer on a pin, 2 or 5.
    Pulse(u8),
    /// `GS ! n`: times the width and the height.
    Size(u8, u8),
    /// `GS V`: the paper is cut.
    Cut,
    /// `GS h n`: height of bars in dots.
    BarHeight(u8),
    /// `GS w n`: width of a narrow bar in dots.
    BarWidth(u8),
    /// `GS H n`: digits in print: 0 none.
    BarText(u8),
    /// `GS f n`: font of the digits in print.
    BarFont(u8),
    /// `GS k`: interleaved 2 of 5.
    Itf(Vec<u8>),
    /// `GS ( k` 49 65: model of the QR.
    QrModel(u8),
    /// `GS ( k` 49 67: dots of a module.
    QrModule(u8),
    /// `GS ( k` 49 69: level of error correction.
    QrLevel(u8),
    /// `GS ( k` 49 80: what it says.
    QrStore(Vec<u8>),
    /// `GS ( k` 49 81: print it.
    QrPrint,
    /// `DLE EOT n`: the printer's state is asked.
    AskStatus(u8),
    /// `GS ( H` 48: say when everything before this is printed.
    AskPrinted([u8; 4]),
}

/// What stands at the beginning of some bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// A command and the bytes that it takes.
    Command(Command, usize),
    /// The bytes end within a command.
    More,
    /// No command that this printer has.
    Unknown,
}

const fn is_on(value: u8) -> bool {
    value & 1 == 1
}

/// A command with one parameter at `bytes[2]`.
fn one(bytes: &[u8], make: impl FnOnce(u8) -> Option<Command>) -> Reading {
    match bytes.get(2) {
        None => Reading::More,
        Some(&value) => {
            make(value).map_or(Reading::Unknown, |command| Reading::Command(command, 3))
        }
    }
}

/// Bit values and their digits: `n` or its character.
fn choice(value: u8, max: u8) -> Option<u8> {
    if value <= max {
        Some(value)
    } else {
        value.checked_sub(b'0').filter(|&digit| digit <= max)
    }
}

fn read_escape(bytes: &[u8]) -> Reading {
    match bytes.get(1) {
        None => Reading::More,
        Some(b'@') => Reading::Command(Command::Initialise, 2),
        Some(b't') => one(bytes, |value| Some(Command::Page(value))),
        Some(b'a') => one(bytes, |value| choice(value, 2).map(Command::Justify)),
        Some(b'E') => one(bytes, |value| Some(Command::Emphasis(is_on(value)))),
        Some(b'd') => one(bytes, |value| Some(Command::Feed(value))),
        Some(b'p') => match (bytes.get(2), bytes.get(3), bytes.get(4)) {
            (Some(0 | 48), Some(_), Some(_)) => Reading::Command(Command::Pulse(2), 5),
            (Some(1 | 49), Some(_), Some(_)) => Reading::Command(Command::Pulse(5), 5),
            (None | Some(0 | 1 | 48 | 49), _, _) => Reading::More,
            (Some(_), _, _) => Reading::Unknown,
        },
        Some(_) => Reading::Unknown,
    }
}

/// `GS ( x pL pH …`: the parameters, once all of them are there.
fn function(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let length = usize::from(*bytes.get(3)?) + 256 * usize::from(*bytes.get(4)?);
    Some((bytes.get(5..5 + length)?, 5 + length))
}

fn read_function(bytes: &[u8]) -> Reading {
    let Some(&family) = bytes.get(2) else {
        return Reading::More;
    };
    if !matches!(family, b'k' | b'H') {
        return Reading::Unknown;
    }
    let Some((parameters, length)) = function(bytes) else {
        return Reading::More;
    };
    let command = match (family, parameters) {
        (b'k', [49, 65, model, 0]) => Command::QrModel(*model),
        (b'k', [49, 67, dots @ 1..=16]) => Command::QrModule(*dots),
        (b'k', [49, 69, level @ 48..=51]) => Command::QrLevel(*level),
        (b'k', [49, 80, 48, data @ ..]) if !data.is_empty() => Command::QrStore(data.to_vec()),
        (b'k', [49, 81, 48]) => Command::QrPrint,
        (b'H', [48, 48, a, b, c, d]) if [a, b, c, d].iter().all(|id| (32..=126).contains(*id)) => {
            Command::AskPrinted([*a, *b, *c, *d])
        }
        _ => return Reading::Unknown,
    };
    Reading::Command(command, length)
}

fn read_bars(bytes: &[u8]) -> Reading {
    let is_whole = |data: &[u8]| {
        !data.is_empty() && data.len().is_multiple_of(2) && data.iter().all(u8::is_ascii_digit)
    };
    match bytes.get(2) {
        None => Reading::More,
        // Function A: up to a NUL.
        Some(5) => match bytes.iter().skip(3).position(|&byte| byte == 0) {
            None if bytes.iter().skip(3).all(u8::is_ascii_digit) => Reading::More,
            None => Reading::Unknown,
            Some(count) => match bytes.get(3..3 + count) {
                Some(data) if is_whole(data) => {
                    Reading::Command(Command::Itf(data.to_vec()), 4 + count)
                }
                _ => Reading::Unknown,
            },
        },
        // Function B: a count first.
        Some(70) => {
            let Some(&count) = bytes.get(3) else {
                return Reading::More;
            };
            match bytes.get(4..4 + usize::from(count)) {
                None => Reading::More,
                Some(data) if is_whole(data) => {
                    Reading::Command(Command::Itf(data.to_vec()), 4 + usize::from(count))
                }
                Some(_) => Reading::Unknown,
            }
        }
        Some(_) => Reading::Unknown,
    }
}

fn read_group(bytes: &[u8]) -> Reading {
    match bytes.get(1) {
        None => Reading::More,
        Some(b'!') => one(bytes, |value| {
            let (width, height) = ((value >> 4) + 1, (value & 0x0F) + 1);
            (width <= 8 && height <= 8).then_some(Command::Size(width, height))
        }),
        Some(b'V') => match bytes.get(2) {
            None => Reading::More,
            Some(0 | 1 | 48 | 49) => Reading::Command(Command::Cut, 3),
            Some(65 | 66) if bytes.len() < 4 => Reading::More,
            Some(65 | 66) => Reading::Command(Command::Cut, 4),
            Some(_) => Reading::Unknown,
        },
        Some(b'h') => one(bytes, |dots| (dots > 0).then_some(Command::BarHeight(dots))),
        Some(b'w') => one(bytes, |dots| {
            (2..=6).contains(&dots).then_some(Command::BarWidth(dots))
        }),
        Some(b'H') => one(bytes, |value| choice(value, 3).map(Command::BarText)),
        Some(b'f') => one(bytes, |value| choice(value, 4).map(Command::BarFont)),
        Some(b'k') => read_bars(bytes),
        Some(b'(') => read_function(bytes),
        Some(_) => Reading::Unknown,
    }
}

/// Reads what stands at the beginning of `bytes`.
pub fn read(bytes: &[u8]) -> Reading {
    match bytes.first() {
        None => Reading::More,
        Some(&LF) => Reading::Command(Command::LineFeed, 1),
        Some(&ESC) => read_escape(bytes),
        Some(&GS) => read_group(bytes),
        Some(&DLE) => match (bytes.get(1), bytes.get(2)) {
            (None, _) | (Some(4), None) => Reading::More,
            (Some(4), Some(&question @ 1..=4)) => Reading::Command(Command::AskStatus(question), 3),
            _ => Reading::Unknown,
        },
        Some(&byte) if byte < 0x20 || byte == 0x7F => Reading::Unknown,
        Some(&byte) => Reading::Command(Command::Character(byte), 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_and_unfinished_are_told_apart() {
        assert_eq!(read(&[0x1B]), Reading::More);
        assert_eq!(read(&[0x1B, b'q', 0]), Reading::Unknown);
        assert_eq!(read(&[0x1B, b'p', 2]), Reading::Unknown);
        // A pulse without its times would take the next two bytes of a ticket for them.
        assert_eq!(read(&[0x1B, b'p', 0, 25]), Reading::More);
        assert_eq!(
            read(&[0x1B, b'p', 0, 25, 250]),
            Reading::Command(Command::Pulse(2), 5)
        );
        assert_eq!(read(&[0x00]), Reading::Unknown);
        assert_eq!(read(&[0x1D, b'(', b'k', 4, 0, 49, 65]), Reading::More);
        assert_eq!(read(&[0x1D, b'k', 5, b'1', b'2']), Reading::More);
        assert_eq!(
            read(&[0x1D, b'k', 5, b'1', b'2', 0]),
            Reading::Command(Command::Itf(b"12".to_vec()), 6)
        );
        assert_eq!(read(&[0x1D, b'k', 5, b'1', 0]), Reading::Unknown);
        assert_eq!(
            read(&[0x1D, b'k', 70, 2, b'1', b'2']),
            Reading::Command(Command::Itf(b"12".to_vec()), 6)
        );
        assert_eq!(
            read(&[0x10, 4, 1]),
            Reading::Command(Command::AskStatus(1), 3)
        );
    }
}
