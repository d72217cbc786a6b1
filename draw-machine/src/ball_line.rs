//! The line of a machine that reads its own balls: bytes to frames, and frames to bytes.
//!
//! A frame is one line of printable ASCII, ended by a carriage return: a letter, fields between
//! commas, and the CRC-32 (that of zlib and PNG) over everything before the last comma, in eight
//! upper-case hexadecimal digits. `docs/ball-line.md` says it for whoever wires a machine.
//!
//! | Frame | From | Fields |
//! |---|---|---|
//! | `Q` | central | draw, the position that it wants next |
//! | `B` | machine | draw, position, number, set, clock |
//! | `A` | machine | draw, balls so far, set, clock: it is there |
//! | `E` | machine | as `A`: the draw is over |
//! | `X` | machine | as `A`: it is stopped |
//!
//! A vendor's machine that speaks otherwise is one more file like this one, from bytes to [`Frame`].

/// Bytes of a frame at most, without its end.
pub const FRAME_MAX: usize = 96;
/// Signs of the name of a set at most.
pub const SET_MAX: usize = 16;
/// What ends a frame.
const END: u8 = b'\r';
/// Digits of a checksum.
const CRC_DIGITS: usize = 8;

/// What stands in every frame of a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The draw.
    pub draw: u64,
    /// The set of balls in the machine, by its name; empty where the machine does not know it.
    pub set: String,
    /// The machine's clock, UTC milliseconds; 0 where it has none.
    pub at_ms: i64,
}

/// What a machine says of the draw as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is at work, or waits.
    Alive,
    /// The last ball was read.
    Ended,
    /// It is stopped.
    Stopped,
}

/// What a frame carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// A ball.
    Ball {
        /// Place in the order, from 1.
        position: u8,
        /// The number.
        number: u8,
    },
    /// How many balls it has read.
    Count {
        /// So many.
        count: u8,
        /// How the draw stands there.
        standing: Standing,
    },
}

/// A frame of a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Of which draw, with which set, when.
    pub said: Said,
    /// What.
    pub content: Content,
}

/// A question of central: the balls of a draw from this position on, and how it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// The draw.
    pub draw: u64,
    /// The position, from 1.
    pub next: u8,
}

/// A line that is no frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoFrame {
    /// It looks like nothing of this.
    Noise(Vec<u8>),
    /// A frame that was cut, changed or mixed with another.
    Broken(Vec<u8>),
}

/// A frame with its checksum and end.
fn ended(text: &str) -> Vec<u8> {
    let crc = crc32fast::hash(text.as_bytes());
    format!("{text},{crc:08X}\r").into_bytes()
}

impl Frame {
    /// As it stands on the line.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Said { draw, set, at_ms } = &self.said;
        ended(&match self.content {
            Content::Ball { position, number } => {
                format!("B,{draw},{position},{number},{set},{at_ms}")
            }
            Content::Count { count, standing } => {
                let letter = match standing {
                    Standing::Alive => 'A',
                    Standing::Ended => 'E',
                    Standing::Stopped => 'X',
                };
                format!("{letter},{draw},{count},{set},{at_ms}")
            }
        })
    }

    fn read(line: &[u8]) -> Option<Self> {
        let fields = checked(line)?;
        let (content, rest) = match fields.as_slice() {
            ["B", draw, position, number, rest @ ..] => {
                let (position, number) = (byte(position)?, byte(number)?);
                (Content::Ball { position, number }, (draw, rest))
            }
            [letter, draw, count, rest @ ..] => {
                let standing = match *letter {
                    "A" => Standing::Alive,
                    "E" => Standing::Ended,
                    "X" => Standing::Stopped,
                    _ => return None,
                };
                let count = byte(count)?;
                (Content::Count { count, standing }, (draw, rest))
            }
            _ => return None,
        };
        let (draw, [set, at_ms]) = rest else {
            return None;
        };
        let is_name = |sign: u8| sign.is_ascii_alphanumeric() || sign == b'-' || sign == b'_';
        (set.len() <= SET_MAX && set.bytes().all(is_name)).then_some(())?;
        let at_ms = digits(at_ms)?.parse().ok()?;
        let draw = digits(draw)?.parse().ok()?;
        let set = (*set).to_owned();
        Some(Self {
            said: Said { draw, set, at_ms },
            content,
        })
    }
}

impl Question {
    /// As it stands on the line.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        ended(&format!("Q,{},{}", self.draw, self.next))
    }

    /// Reads a line, without its end.
    #[must_use]
    pub fn read(line: &[u8]) -> Option<Self> {
        match checked(line)?.as_slice() {
            ["Q", draw, next] => Some(Self {
                draw: digits(draw)?.parse().ok()?,
                next: byte(next)?,
            }),
            _ => None,
        }
    }
}

/// The fields of a line whose checksum is right.
fn checked(line: &[u8]) -> Option<Vec<&str>> {
    let text = str::from_utf8(line).ok()?;
    let (text, crc) = text.rsplit_once(',')?;
    let is_digit = |sign: u8| matches!(sign, b'0'..=b'9' | b'A'..=b'F');
    let is_crc = crc.len() == CRC_DIGITS && crc.bytes().all(is_digit);
    let crc = u32::from_str_radix(crc, 16).ok().filter(|_| is_crc)?;
    (crc32fast::hash(text.as_bytes()) == crc).then(|| text.split(',').collect())
}

/// Digits alone: no sign, no blank.
fn digits(text: &str) -> Option<&str> {
    let are_digits = !text.is_empty() && text.bytes().all(|sign| sign.is_ascii_digit());
    are_digits.then_some(text)
}

/// One beyond what a byte holds is read as the last, which no draw has: it is outside, and not broken.
fn byte(text: &str) -> Option<u8> {
    let number: u64 = digits(text)?.parse().ok()?;
    Some(u8::try_from(number).unwrap_or(u8::MAX))
}

/// Makes lines of bytes, however they are cut.
#[derive(Debug, Default)]
pub struct Lines {
    line: Vec<u8>,
    /// More came than a frame has: what follows up to the next end is part of it.
    is_too_long: bool,
}

impl Lines {
    /// Takes the next byte; gives a line once its end has come, without it. Whatever is longer than a
    /// frame is given cut.
    pub fn take(&mut self, byte: u8) -> Option<Vec<u8>> {
        // Whoever ends a line with a line feed too means the same.
        if byte == b'\n' && self.line.is_empty() {
            return None;
        }
        if byte != END {
            match self.line.len() < FRAME_MAX {
                true => self.line.push(byte),
                false => self.is_too_long = true,
            }
            return None;
        }
        let is_too_long = std::mem::take(&mut self.is_too_long);
        let mut line = std::mem::take(&mut self.line);
        if is_too_long {
            // No longer a frame, even if its beginning were one.
            line.push(b'?');
        }
        (!line.is_empty()).then_some(line)
    }

    /// Forgets what was begun: another connection begins with another line.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Reads a line of a machine, without its end.
///
/// # Errors
/// [`NoFrame`], with the line.
pub fn read(line: Vec<u8>) -> Result<Frame, NoFrame> {
    match Frame::read(&line) {
        Some(frame) => Ok(frame),
        None if line.contains(&b',') => Err(NoFrame::Broken(line)),
        None => Err(NoFrame::Noise(line)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(draw: u64, position: u8, number: u8) -> Frame {
        Frame {
            said: Said {
                draw,
                set: "B-2".to_owned(),
                at_ms: 1_790_000_000_000,
            },
            content: Content::Ball { position, number },
        }
    }

    fn frames(bytes: &[u8]) -> Vec<Result<Frame, NoFrame>> {
        let mut lines = Lines::default();
        let lines = bytes.iter().filter_map(|byte| lines.take(*byte));
        lines.map(read).collect()
    }

    #[test]
    fn a_frame_is_what_the_page_says() {
        let frame = Frame {
            said: Said {
                draw: 123,
                set: "A".to_owned(),
                at_ms: 0,
            },
            content: Content::Ball {
                position: 1,
                number: 7,
            },
        };
        // Computed by `python3 -c 'import zlib; print("%08X" % zlib.crc32(b"B,123,1,7,A,0"))'`.
        assert_eq!(frame.to_bytes(), b"B,123,1,7,A,0,1A361A82\r");
        assert_eq!(frames(b"B,000123,01,07,A,0,CFE07360\r\n"), [Ok(frame)]);
    }

    #[test]
    fn whatever_the_cut_the_same_frames() {
        let mut bytes = Vec::new();
        for position in 1..=20 {
            bytes.extend(ball(7, position, 3 * position).to_bytes());
        }
        let whole = frames(&bytes);
        assert_eq!(whole.len(), 20);
        for cut in 0..bytes.len() {
            let mut lines = Lines::default();
            let mut read_so: Vec<_> = Vec::new();
            for part in [&bytes[..cut], &bytes[cut..]] {
                let part = part.iter().filter_map(|byte| lines.take(*byte));
                read_so.extend(part.map(read));
            }
            assert_eq!(read_so, whole, "cut at {cut}");
            // What is lost at the cut is a frame less, or one that is broken: never another.
            for lost in 1..=3 {
                let rest = [&bytes[..cut], bytes.get(cut + lost..).unwrap_or_default()].concat();
                let others = frames(&rest);
                assert!(
                    others
                        .iter()
                        .flatten()
                        .all(|frame| whole.contains(&Ok(frame.clone()))),
                    "{lost} lost at {cut}"
                );
            }
        }
    }

    #[test]
    fn no_change_of_one_bit_is_another_frame() {
        let frame = ball(41, 20, 80);
        let bytes = frame.to_bytes();
        for at in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[at / 8] ^= 1 << (at % 8);
            for read in frames(&changed).into_iter().flatten() {
                assert_eq!(read, frame, "bit {at}");
            }
        }
    }

    #[test]
    fn noise_is_no_frame_and_ends_at_the_next_end() {
        let frame = ball(41, 2, 80);
        let long = [vec![b'B'; 4_000], b"\r".to_vec(), frame.to_bytes()].concat();
        let read = frames(&long);
        assert_eq!(read.len(), 2);
        assert!(matches!(&read[0], Err(NoFrame::Noise(line)) if line.len() <= FRAME_MAX + 1));
        assert_eq!(read[1], Ok(frame.clone()));
        let ended = ended_by(FRAME_MAX);
        assert_eq!(
            frames(&ended),
            [Err(NoFrame::Broken(ended[..FRAME_MAX].to_vec()))]
        );
        for text in [
            "B,1,1,1,A,0",
            "B,1,1,-1,A,0",
            "B,1,1,+1,A,0",
            "B,1,1, 1,A,0",
            "B,1,1,1,A b,0",
            "B,1,1,1,ABCDEFGHIJKLMNOPQ,0",
            "B,1,1,1,A,-5",
            "B,1,1,A,0",
            "B,1,1,1,A,0,0",
            "Z,1,1,A,0",
            "A,1,1,A",
            "A,18446744073709551616,1,A,0",
            "Q,1,1",
            "",
        ]
        .iter()
        .skip(1)
        {
            let bytes = super::ended(text);
            assert!(
                frames(&bytes).iter().all(Result::is_err),
                "{text:?} is a frame"
            );
        }
        assert_eq!(
            frames(&super::ended("B,1,1,1,A,0"))
                .iter()
                .flatten()
                .count(),
            1
        );
    }

    /// A line of so many signs, and its end.
    fn ended_by(length: usize) -> Vec<u8> {
        let mut line = super::ended(&"7,".repeat(length / 2));
        line.truncate(length);
        line.push(END);
        line
    }

    #[test]
    fn what_follows_the_longest_frame_is_part_of_it() {
        let rest = ",1,7,A,0";
        let zeros = "0".repeat(FRAME_MAX - rest.len() - "B,7".len() - CRC_DIGITS - 1);
        let mut longest = super::ended(&format!("B,{zeros}7{rest}"));
        assert_eq!(longest.len(), FRAME_MAX + 1);
        assert_eq!(frames(&longest).iter().flatten().count(), 1);
        longest.insert(FRAME_MAX, b'9');
        assert_eq!(frames(&longest).iter().flatten().count(), 0);
    }

    #[test]
    fn a_question_is_read_as_it_was_asked() {
        let question = Question { draw: 9, next: 20 };
        let bytes = question.to_bytes();
        assert_eq!(Question::read(&bytes[..bytes.len() - 1]), Some(question));
        assert_eq!(Question::read(b"Q,9,20,00000000"), None);
    }
}
