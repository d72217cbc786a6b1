//! The one encoding of every field in the log (`FORMAT.md`, "Fields").
//!
//! Integers are big-endian and fixed in width; text, bytes and lists carry their length in four
//! bytes before them; an optional field is one byte, 0 or 1, then the field. There is exactly
//! one encoding of every value, so a hash of the bytes is a hash of the value.

use thiserror::Error;

/// Why bytes are not a value of the log's format.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DecodeFault {
    /// The bytes end inside a field.
    #[error("the bytes end inside field {0}")]
    Short(&'static str),
    /// Bytes are left after the last field.
    #[error("{0} bytes are left after the last field")]
    Trailing(usize),
    /// A text field is not UTF-8.
    #[error("a text field is not UTF-8")]
    NotText,
    /// A flag or an optional field's mark is neither 0 nor 1.
    #[error("the mark of an optional field is {0}, not 0 or 1")]
    Mark(u8),
    /// The kind is not one of this format.
    #[error("kind {0} is unknown to this format")]
    Kind(u8),
    /// The kind is one that an earlier version recorded.
    #[error("kind {number}, {name}, is of an older version, and unknown to this one")]
    Retired {
        /// Its number.
        number: u8,
        /// The name that it had.
        name: &'static str,
    },
    /// The format version is not the one this program reads.
    #[error("format version {0} is not the one this program reads")]
    Version(u8),
}

/// Reads fields off the front of a byte slice.
#[derive(Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// A reader at the first byte of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// [`DecodeFault::Short`] naming `field` when fewer are left.
    pub fn bytes(&mut self, count: usize, field: &'static str) -> Result<&'a [u8], DecodeFault> {
        let (taken, rest) = self
            .rest
            .split_at_checked(count)
            .ok_or(DecodeFault::Short(field))?;
        self.rest = rest;
        Ok(taken)
    }

    /// The next `N` bytes as an array.
    ///
    /// # Errors
    /// [`DecodeFault::Short`] naming `field`.
    pub fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], DecodeFault> {
        let taken = self.bytes(N, field)?;
        taken.try_into().map_err(|_| DecodeFault::Short(field))
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// [`DecodeFault::Trailing`] when bytes are left: a second encoding of the same value.
    pub fn finish(self) -> Result<(), DecodeFault> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(DecodeFault::Trailing(self.rest.len()))
        }
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.rest.len()
    }
}

/// A value with exactly one encoding.
pub trait Field: Sized {
    /// Fewest bytes that such a value takes: what a list says of its length is held to it before any
    /// memory is set aside.
    const BYTES_MIN: usize;
    /// Appends the encoding to `out`.
    fn put(&self, out: &mut Vec<u8>);
    /// Reads the value back.
    ///
    /// # Errors
    /// A [`DecodeFault`] when the bytes are not an encoding of such a value.
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault>;
}

macro_rules! integer_fields {
    ($($kind:ty),*) => {$(
        impl Field for $kind {
            const BYTES_MIN: usize = size_of::<$kind>();
            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_be_bytes());
            }
            fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
                Ok(Self::from_be_bytes(reader.array(stringify!($kind))?))
            }
        }
    )*};
}
integer_fields!(u16, u32, u64, i64);

impl Field for u8 {
    const BYTES_MIN: usize = 1;
    fn put(&self, out: &mut Vec<u8>) {
        out.push(*self);
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        let [byte] = reader.array("u8")?;
        Ok(byte)
    }
}

impl Field for bool {
    const BYTES_MIN: usize = 1;
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        match u8::take(reader)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(DecodeFault::Mark(other)),
        }
    }
}

impl Field for [u8; 32] {
    const BYTES_MIN: usize = 32;
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self);
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        reader.array("hash")
    }
}

/// Appends a length in four bytes. A length that does not fit saturates: no writer of this
/// program makes a field of 4 GiB, and a reader refuses it as short.
fn put_length(length: usize, out: &mut Vec<u8>) {
    u32::try_from(length).unwrap_or(u32::MAX).put(out);
}

fn take_length(reader: &mut Reader<'_>) -> Result<usize, DecodeFault> {
    let length = u32::take(reader)?;
    usize::try_from(length).map_err(|_| DecodeFault::Short("length"))
}

/// Appends `bytes` with their length before them.
pub fn put_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    put_length(bytes.len(), out);
    out.extend_from_slice(bytes);
}

/// Reads bytes with their length before them.
///
/// # Errors
/// [`DecodeFault::Short`] when fewer bytes are left than the length says.
pub fn take_bytes<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], DecodeFault> {
    let length = take_length(reader)?;
    reader.bytes(length, "bytes")
}

impl Field for String {
    const BYTES_MIN: usize = u32::BYTES_MIN;
    fn put(&self, out: &mut Vec<u8>) {
        put_bytes(self.as_bytes(), out);
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        let bytes = take_bytes(reader)?;
        std::str::from_utf8(bytes)
            .map(str::to_owned)
            .map_err(|_| DecodeFault::NotText)
    }
}

impl<T: Field> Field for Option<T> {
    const BYTES_MIN: usize = 1;
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            None => out.push(0),
            Some(value) => {
                out.push(1);
                value.put(out);
            }
        }
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        match u8::take(reader)? {
            0 => Ok(None),
            1 => Ok(Some(T::take(reader)?)),
            other => Err(DecodeFault::Mark(other)),
        }
    }
}

impl<T: Field> Field for Vec<T> {
    const BYTES_MIN: usize = u32::BYTES_MIN;
    fn put(&self, out: &mut Vec<u8>) {
        put_length(self.len(), out);
        for item in self {
            item.put(out);
        }
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        let count = take_length(reader)?;
        // A count beyond what is left is refused before any memory is set aside for it: the items
        // of some lists are a hundred bytes in memory.
        if count > reader.left() / T::BYTES_MIN.max(1) {
            return Err(DecodeFault::Short("list"));
        }
        let mut items = Self::with_capacity(count);
        for _ in 0..count {
            items.push(T::take(reader)?);
        }
        Ok(items)
    }
}

/// Reads what was added to a body: nothing at the end of its bytes, and otherwise not nothing, which
/// would be a second encoding of the same value.
pub(crate) fn take_added<T: Default + PartialEq>(
    reader: &mut Reader<'_>,
    take: impl FnOnce(&mut Reader<'_>) -> Result<T, DecodeFault>,
) -> Result<T, DecodeFault> {
    let left = reader.left();
    if left == 0 {
        return Ok(T::default());
    }
    let added = take(reader)?;
    if added == T::default() {
        return Err(DecodeFault::Trailing(left));
    }
    Ok(added)
}

/// A field as it is declared: what `FORMAT.md` says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declared {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: &'static str,
    /// What it means, in lines.
    pub meaning: &'static [&'static str],
    /// True of one that bodies of before did not have.
    pub is_added: bool,
}

/// Declares a structure whose encoding is its fields in order. What was `added` to a body stands at
/// its end, all of it or nothing: a body of before has none of it and is read as if each were
/// absent, empty or 0, and so is written again. Only a body ends where its bytes end: no structure
/// inside of one has `added` fields.
macro_rules! record {
    (
        $(#[doc = $doc:literal])*
        $(#[derive($($derived:ident),*)])?
        $name:ident { $($(#[doc = $field_doc:literal])* $field:ident : $kind:ty),* $(,)? }
        $(added { $($(#[doc = $added_doc:literal])* $added:ident : $added_kind:ty),* $(,)? })?
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        $(#[derive($($derived),*)])?
        pub struct $name {
            $($(#[doc = $field_doc])* pub $field: $kind,)*
            $($($(#[doc = $added_doc])* pub $added: $added_kind,)*)?
        }

        impl $crate::encode::Field for $name {
            const BYTES_MIN: usize = 0 $(+ <$kind as $crate::encode::Field>::BYTES_MIN)*;
            fn put(&self, out: &mut Vec<u8>) {
                $($crate::encode::Field::put(&self.$field, out);)*
                $(if false $(|| self.$added != <$added_kind>::default())* {
                    $($crate::encode::Field::put(&self.$added, out);)*
                })?
            }
            fn take(reader: &mut $crate::encode::Reader<'_>) -> Result<Self, $crate::encode::DecodeFault> {
                $(let $field = <$kind as $crate::encode::Field>::take(reader)?;)*
                $(let ($($added,)*) = $crate::encode::take_added(reader, |reader| {
                    Ok(($(<$added_kind as $crate::encode::Field>::take(reader)?,)*))
                })?;)?
                Ok(Self { $($field,)* $($($added,)*)? })
            }
        }

        impl $name {
            /// The fields in the order of their encoding: `FORMAT.md` is made from them.
            pub const FIELDS: &'static [$crate::encode::Declared] = &[
                $($crate::encode::Declared {
                    name: stringify!($field),
                    kind: stringify!($kind),
                    meaning: &[$($field_doc),*],
                    is_added: false,
                },)*
                $($($crate::encode::Declared {
                    name: stringify!($added),
                    kind: stringify!($added_kind),
                    meaning: &[$($added_doc),*],
                    is_added: true,
                },)*)?
            ];
            /// What it is, in lines.
            pub const MEANING: &'static [&'static str] = &[$($doc),*];
        }
    };
}
pub(crate) use record;
