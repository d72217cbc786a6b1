//! Length-prefixed bytes: the only way this crate puts fields side by side.
//!
//! Every field, whatever its size, is preceded by its length as four bytes, big-endian. Two
//! different lists of fields can therefore never give the same bytes.

/// Appends the length of `field` (u32, big-endian) and `field` itself.
pub(crate) fn put(out: &mut Vec<u8>, field: &[u8]) {
    // A field of 4 GiB or more does not occur: the longest is a name from the configuration.
    // Saturating keeps this function total; such a field would still not pass as another.
    let length = u32::try_from(field.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(field);
}

/// Appends `value` as an eight-byte, big-endian field with its length.
pub(crate) fn put_u64(out: &mut Vec<u8>, value: u64) {
    put(out, &value.to_be_bytes());
}

/// Reads fields back, in order. `None` as soon as something is missing or too long.
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) fn take(&mut self) -> Option<&'a [u8]> {
        let (length, after) = self.rest.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (field, rest) = after.split_at_checked(length)?;
        self.rest = rest;
        Some(field)
    }

    pub(crate) fn take_array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take()?.try_into().ok()
    }

    pub(crate) fn take_u64(&mut self) -> Option<u64> {
        Some(u64::from_be_bytes(self.take_array::<8>()?))
    }

    pub(crate) fn take_u8(&mut self) -> Option<u8> {
        Some(u8::from_be_bytes(self.take_array::<1>()?))
    }

    pub(crate) fn take_text(&mut self) -> Option<String> {
        String::from_utf8(self.take()?.to_vec()).ok()
    }

    /// True when every byte was read.
    pub(crate) fn is_done(&self) -> bool {
        self.rest.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back_as_they_were_put() {
        let mut out = Vec::new();
        put(&mut out, b"abc");
        put_u64(&mut out, 7);
        assert_eq!(hex::encode(&out), "00000003616263000000080000000000000007");
        let mut fields = Fields::new(&out);
        assert_eq!(fields.take(), Some(&b"abc"[..]));
        assert_eq!(fields.take_u64(), Some(7));
        assert!(fields.is_done());
        assert_eq!(fields.take(), None);
    }

    #[test]
    fn moving_a_border_changes_the_bytes() {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        put(&mut first, b"ab");
        put(&mut first, b"c");
        put(&mut second, b"a");
        put(&mut second, b"bc");
        assert_ne!(first, second);
    }

    #[test]
    fn a_length_beyond_the_end_is_refused() {
        assert_eq!(Fields::new(&[0, 0, 0, 2, 9]).take(), None);
        assert_eq!(Fields::new(&[0xff; 8]).take(), None);
    }
}
