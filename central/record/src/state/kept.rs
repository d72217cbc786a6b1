//! The state as bytes, for a snapshot: one encoding of every state, in the log's way of writing
//! fields (`FORMAT.md`, "Fields"). Maps are written ascending by their keys.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::BuildHasher;
use std::sync::Arc;

use keno_game::{BallSet, DrawState, PackedLine, PackedStraight, PackedWay};
use keno_log::encode::{self, DecodeFault, Reader, put_bytes, take_bytes};
use keno_log::tree::Edge;
use keno_log::{CommandKey, EventKind, Hash};

use super::{
    Acting, Begun, Device, Differing, Draw, DrawRoom, Enterer, Epoch, Following, Frequency,
    HandedOver, Hands, HolderState, House, Keys, Leaves, OpenRoom, Person, RangedStraight,
    RangedWay, ReadLine, RecordedBalls, SealState, Served, Session, SetChoice, SetOfBalls,
    Settlement, Shift, Silence, State, WaitingDraw, record_fault,
};
use crate::fault::Fault;
use crate::numbers::{Epochs, OpenedEpoch};

/// A part of the state that a snapshot keeps.
trait Kept: Sized {
    fn put(&self, out: &mut Vec<u8>);
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault>;
}

macro_rules! kept_as_in_the_log {
    ($($kind:ty),*) => {$(
        impl Kept for $kind {
            fn put(&self, out: &mut Vec<u8>) {
                encode::Field::put(self, out);
            }
            fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
                encode::Field::take(reader)
            }
        }
    )*};
}
kept_as_in_the_log!(
    bool, u8, u16, u32, u64, i64, Hash, String, CommandKey, Settlement
);

/// What a stable number stands for.
macro_rules! kept_by_number {
    ($($kind:ty: $number:expr, $from:expr;)*) => {$(
        impl Kept for $kind {
            fn put(&self, out: &mut Vec<u8>) {
                out.push($number(*self));
            }
            fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
                let number = u8::take(reader)?;
                $from(number).ok_or(DecodeFault::Kind(number))
            }
        }
    )*};
}
kept_by_number! {
    DrawState: DrawState::code, DrawState::from_code;
    EventKind: EventKind::number, EventKind::from_number;
}

/// Structures of which every field is kept: one that is forgotten here does not compile.
macro_rules! kept {
    ($($name:ident { $($field:ident),* $(,)? })*) => {$(
        impl Kept for $name {
            fn put(&self, out: &mut Vec<u8>) {
                let Self { $($field),* } = self;
                $($field.put(out);)*
            }
            fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
                Ok(Self { $($field: Kept::take(reader)?),* })
            }
        }
    )*};
}
kept! {
    House { code, name, zone, log_key, first_draw }
    Person { staff, name, roles, credential, must_change, pin_set_by, card, active }
    Acting { named, made }
    Frequency { source, set, pool_size, drawn, draws, times }
    DrawRoom { sets, choice, open }
    SetOfBalls {
        masses_mg, passed, least_mg, most_mg, instruments, most_draws, starts, good_until_ms,
        measured_at_ms, set_aside,
    }
    SetChoice { sets, draw, chosen }
    OpenRoom { set, since_ms, people }
    Following { last, begun, waiting }
    Begun { key, began }
    Differing { finding, entry, began, again }
    WaitingDraw { size, root, since_ms, minutes, differs }
    Device { name, role, key_hash, active }
    HandedOver { to, leaf, shift, is_locked }
    Session { device, badge, token_hash, opened_at_ms }
    Shift { device, badge, expected_cents, opened_leaf }
    HolderState { name, commitment, secret }
    SealState { size, root }
    RecordedBalls { balls, secrets_hash, recorded_at_ms }
    Draw {
        number, state, closes_at_ms, draws_at_ms, source, pool_size, drawn, cap_cents,
        full_below_cents, holders, tickets, selections, wagered_cents, unpaid_after_seal, seal,
        rule_book_hash, hands, ball_set, balls, certifiers, settlement, leaves,
    }
    Enterer { badge, entries }
    Hands { people, counted, counted_at_ms, line }
    ReadLine { machine, ball_set, incidents, has_stopped }
    PackedStraight { mask_low, mask_high, table, wager_cents, ticket }
    PackedLine { spots, table, wager_cents }
    PackedWay { ticket, groups, kings, king_alone, lines }
    RangedStraight { first, last, wager }
    RangedWay { first, last, wager }
    Epoch { number, next_draw, opened_at_ms, leaf }
    Served { leaf, at_ms }
    Leaves { blocks, last, facts }
    OpenedEpoch { number, first, series }
    Silence { leaf, served_leaf, from_ms, until_ms }
}

impl Kept for u128 {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_be_bytes());
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        Ok(Self::from_be_bytes(reader.array("u128")?))
    }
}

impl Kept for BallSet {
    fn put(&self, out: &mut Vec<u8>) {
        self.bits().put(out);
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        Self::from_bits(u128::take(reader)?).map_err(|_| DecodeFault::Short("a set of numbers"))
    }
}

impl Kept for Edge {
    fn put(&self, out: &mut Vec<u8>) {
        put_bytes(&self.to_bytes(), out);
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        Self::from_bytes(take_bytes(reader)?).map_err(|_| DecodeFault::Short("the edge"))
    }
}

impl<T: Kept> Kept for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        match bool::take(reader)? {
            true => T::take(reader).map(Some),
            false => Ok(None),
        }
    }
}

/// Writes a list: how many, then each.
fn put_all<'a, T: Kept + 'a>(things: impl ExactSizeIterator<Item = &'a T>, out: &mut Vec<u8>) {
    (things.len() as u64).put(out);
    for thing in things {
        thing.put(out);
    }
}

impl<T: Kept> Kept for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        put_all(self.iter(), out);
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        let count = u64::take(reader)?;
        (0..count).map(|_| T::take(reader)).collect()
    }
}

impl<T: Kept> Kept for Box<[T]> {
    fn put(&self, out: &mut Vec<u8>) {
        put_all(self.iter(), out);
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        Vec::take(reader).map(Vec::into_boxed_slice)
    }
}

impl<T: Kept> Kept for Arc<Vec<T>> {
    fn put(&self, out: &mut Vec<u8>) {
        put_all(self.iter(), out);
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        Vec::take(reader).map(Self::new)
    }
}

macro_rules! kept_shared {
    ($($kind:ty),*) => {$(
        impl Kept for Arc<$kind> {
            fn put(&self, out: &mut Vec<u8>) {
                self.as_ref().put(out);
            }
            fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
                <$kind>::take(reader).map(Self::new)
            }
        }
    )*};
}
kept_shared!(DrawRoom, Following);

impl Kept for BTreeSet<Hash> {
    fn put(&self, out: &mut Vec<u8>) {
        put_all(self.iter(), out);
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        Vec::take(reader).map(|all| all.into_iter().collect())
    }
}

impl Kept for Epochs {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        Kept::take(reader).map(Self)
    }
}

impl<A: Kept, B: Kept> Kept for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        Ok((A::take(reader)?, B::take(reader)?))
    }
}

impl<A: Kept, B: Kept, C: Kept> Kept for (A, B, C) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
        self.2.put(out);
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        Ok((A::take(reader)?, B::take(reader)?, C::take(reader)?))
    }
}

/// Writes a map, ascending by its keys.
fn put_map<'a, K: Kept + Ord + 'a, V: Kept + 'a>(
    map: impl Iterator<Item = (&'a K, &'a V)>,
    out: &mut Vec<u8>,
) {
    let mut pairs: Vec<(&K, &V)> = map.collect();
    pairs.sort_unstable_by_key(|(key, _)| *key);
    (pairs.len() as u64).put(out);
    for (key, value) in pairs {
        key.put(out);
        value.put(out);
    }
}

/// Reads what [`put_map`] wrote.
fn take_map<K: Kept, V: Kept, M: FromIterator<(K, V)>>(
    reader: &mut Reader<'_>,
) -> Result<M, DecodeFault> {
    let count = u64::take(reader)?;
    (0..count).map(|_| <(K, V)>::take(reader)).collect()
}

impl<K: Kept + Ord, V: Kept> Kept for BTreeMap<K, V> {
    fn put(&self, out: &mut Vec<u8>) {
        put_map(self.iter(), out);
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        take_map(reader)
    }
}

impl<K: Kept + Ord + std::hash::Hash, V: Kept, S: BuildHasher + Default> Kept for HashMap<K, V, S> {
    fn put(&self, out: &mut Vec<u8>) {
        put_map(self.iter(), out);
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        take_map(reader)
    }
}

impl Kept for Keys {
    fn put(&self, out: &mut Vec<u8>) {
        let pairs: Vec<(CommandKey, u64)> = self.iter().collect();
        pairs.put(out);
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        take_map(reader)
    }
}

impl Kept for HashSet<u128> {
    fn put(&self, out: &mut Vec<u8>) {
        let mut sets: Vec<u128> = self.iter().copied().collect();
        sets.sort_unstable();
        sets.put(out);
    }
    fn take(reader: &mut Reader<'_>) -> Result<Self, DecodeFault> {
        Vec::take(reader).map(|sets| sets.into_iter().collect())
    }
}

/// Rules as their leaf says them: what follows from the text is made from it again.
#[derive(Debug)]
struct KeptRules {
    leaf: u64,
    effective_from: u64,
    hash: Hash,
    text: String,
}

kept! { KeptRules { leaf, effective_from, hash, text } }

/// What is kept of a state, by name and in this order.
macro_rules! kept_fields {
    ($($field:ident),* $(,)?) => {
        impl State {
            /// The state as bytes. Left out is what is made anew: the pay tables, which follow from
            /// the rules; the count of changes, which only says that a picture is old; and the keys
            /// that were ended last, whose rows are written.
            pub fn to_bytes(&self) -> Vec<u8> {
                let Self {
                    rule_books, tables: _, table_index: _, changes: _, ended_keys: _, $($field),*
                } = self;
                let mut rules: Vec<KeptRules> = rule_books
                    .values()
                    .map(|rules| KeptRules {
                        leaf: rules.leaf,
                        effective_from: rules.effective_from,
                        hash: rules.hash,
                        text: rules.text.clone(),
                    })
                    .collect();
                // Packed wagers name their pay table by its place, which is that of its publication.
                rules.sort_unstable_by_key(|rules| rules.leaf);
                let mut out = Vec::new();
                rules.put(&mut out);
                $($field.put(&mut out);)*
                out
            }

            /// The state of [`Self::to_bytes`].
            ///
            /// # Errors
            /// [`Fault::Record`] when the bytes are not those of a state.
            pub fn from_bytes(bytes: &[u8]) -> Result<Self, Fault> {
                let unreadable = |fault: DecodeFault| record_fault(fault.to_string());
                let mut reader = Reader::new(bytes);
                let rules: Vec<KeptRules> = Kept::take(&mut reader).map_err(unreadable)?;
                let mut state = Self::default();
                for rules in rules {
                    state.add_rules(rules.leaf, &rules.text, rules.effective_from, rules.hash)?;
                }
                $(state.$field = Kept::take(&mut reader).map_err(unreadable)?;)*
                reader.finish().map_err(unreadable)?;
                Ok(state)
            }
        }
    };
}
kept_fields!(
    house,
    edge,
    leaves,
    last_at_ms,
    people,
    acting,
    devices,
    handed_over,
    sessions,
    shifts,
    next_session,
    next_shift,
    draws,
    keys,
    ended_pages,
    last_sales,
    single,
    ranged,
    ways,
    liability,
    drawn_sets,
    frequencies,
    room,
    following,
    sales_suspended,
    schedule_halted,
    fence,
    epoch,
    epochs,
    served,
    silences,
    lost_refunds,
    judged_files,
);
