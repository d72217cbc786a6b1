//! `[connections]`: how many connections each kind of asker may hold at once. What strangers may
//! hold is never taken from what is kept for devices.

use std::ops::RangeInclusive;

use keno_book::toml_faults::Section;

use super::Reader;

const DEVICES: RangeInclusive<i64> = 16..=8_192;
const STRANGERS: RangeInclusive<i64> = 16..=8_192;
const STREAMS: RangeInclusive<i64> = 1..=8_192;
const PER_ADDRESS: RangeInclusive<i64> = 8..=8_192;

/// Connections at once, at each listener.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connections {
    /// Of devices that have proved who they are.
    pub devices: usize,
    /// Of everybody else.
    pub strangers: usize,
    /// Of those, which hear live events.
    pub streams: usize,
    /// From one address over TLS. On central's own machine all come from one.
    pub per_address: usize,
}

impl Default for Connections {
    fn default() -> Self {
        Self {
            devices: 512,
            strangers: 256,
            streams: 128,
            per_address: 128,
        }
    }
}

/// Reads `[connections]`; each figure that is left out is as usual.
pub(super) fn read(reader: &mut Reader, root: &Section<'_>) -> Option<Connections> {
    let mut most = Connections::default();
    if !root.has("connections") {
        return Some(most);
    }
    let names = ["devices", "strangers", "streams", "per_address"];
    let section = reader.section(root, "connections", &names);
    let mut read = |name: &str, range, into: &mut usize| -> Option<()> {
        if section.has(name) {
            *into = usize::try_from(reader.number::<u32>(&section, name, range)?).ok()?;
        }
        Some(())
    };
    let devices = read("devices", DEVICES, &mut most.devices);
    let strangers = read("strangers", STRANGERS, &mut most.strangers);
    let streams = read("streams", STREAMS, &mut most.streams);
    let per_address = read("per_address", PER_ADDRESS, &mut most.per_address);
    devices.and(strangers).and(streams).and(per_address)?;
    // A stream is a connection of a stranger too.
    most.streams = most.streams.min(most.strangers);
    Some(most)
}

#[cfg(test)]
mod tests {
    use super::super::HouseFile;
    use super::*;

    #[test]
    fn what_is_left_out_is_as_usual_and_a_stream_is_a_connection() {
        let most = |text: &str| {
            HouseFile::read(&format!("{}\n{text}\n", HouseFile::demonstration()))
                .map(|house| house.connections)
                .map_err(|faults| faults[0].place.clone())
        };
        assert_eq!(most(""), Ok(Connections::default()));
        let few = most("[connections]\nstrangers = 32\nper_address = 8").unwrap();
        assert_eq!((few.devices, few.strangers), (512, 32));
        assert_eq!((few.streams, few.per_address), (32, 8));
        for (text, place) in [
            ("devices = 1", "connections.devices"),
            ("strangers = 0", "connections.strangers"),
            ("streams = \"many\"", "connections.streams"),
            ("other = 1", "connections.other"),
        ] {
            let fault = most(&format!("[connections]\n{text}"));
            assert_eq!(fault, Err(place.to_owned()), "{text}");
        }
    }
}
