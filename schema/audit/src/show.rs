//! One entry decoded, and one draw's transcript recomputed.

use std::fmt::Write as _;
use std::io::Read;

use keno_log::export::ExportRecord;

use chrono::DateTime;
use keno_log::beacon::{Beacon, Round};

use crate::balls::{beacon_commitment, commitment, recompute, secrets_hash};
use crate::replay::{DrawAccount, Replay};
use crate::report::hash_or_dash;
use crate::stream::{Records, StreamFault};
use crate::verify::read_entry;

/// The entry at `index` of an export as text; none when the export has no such entry.
///
/// The entry is shown even when its bytes are wrong: that is when one wants to see it.
///
/// # Errors
/// A [`StreamFault`] when the records up to it cannot be read.
pub fn leaf(export: impl Read, index: u64) -> Result<Option<String>, StreamFault> {
    for (place, record) in (0_u64..).zip(Records::new(export)?) {
        let ExportRecord::Entry(exported) = record? else {
            break;
        };
        if place != index {
            continue;
        }
        let mut out = String::new();
        let _ = writeln!(out, "entry      {place}");
        let _ = writeln!(out, "leaf       {}", hex::encode(&exported.leaf_bytes));
        let _ = writeln!(out, "leaf hash  {}", hex::encode(exported.leaf_hash));
        let _ = writeln!(out, "nonce      {}", hex::encode(exported.nonce));
        let _ = writeln!(out, "body       {}", hex::encode(&exported.body));
        if let Err((code, detail)) = read_entry(&exported) {
            let _ = writeln!(out, "WRONG      {} {detail}", code.name());
        }
        if let Ok(entry) = exported.entry() {
            let _ = writeln!(out, "header     {:?}", entry.leaf.header);
            if let Ok(event) = entry.event() {
                let _ = writeln!(out, "{event:#?}");
            }
        }
        return Ok(Some(out));
    }
    Ok(None)
}

/// The transcript of a draw, recomputed from what the log holds of it.
#[must_use]
pub fn transcript(replay: &Replay, draw: &DrawAccount) -> String {
    let house = replay.house().map_or("", |house| house.house.as_str());
    let mut out = String::new();
    let _ = writeln!(out, "house            {house}");
    let _ = writeln!(out, "draw             {}", draw.number);
    let _ = writeln!(out, "state            {:?}", draw.state);
    let _ = writeln!(out, "pool             {} of {}", draw.drawn, draw.pool_size);
    let rule_book = hash_or_dash(draw.rule_book_hash.as_ref());
    let _ = writeln!(out, "rule book hash   {rule_book}");
    let Some(close) = &draw.close else {
        return out;
    };
    let _ = writeln!(out, "seal size        {}", close.entry + 1);
    let _ = writeln!(out, "seal root        {}", hex::encode(close.seal_root));
    let _ = writeln!(out, "tickets          {}", close.tickets);
    let secrets = draw.secrets.as_deref().unwrap_or_default();
    for (place, holder) in draw.holders.iter().enumerate() {
        let committed = draw.commitments.get(place).and_then(Option::as_ref);
        let _ = writeln!(out, "holder {place}         {holder}");
        let _ = writeln!(out, "  commitment     {}", hash_or_dash(committed));
        let Some(secret) = secrets.get(place) else {
            continue;
        };
        let hosts = draw.hosts.as_deref().unwrap_or_default();
        let beacon = hosts.get(place + 1).filter(|key| Beacon::is_meant(key));
        let computed = beacon.map_or_else(
            || commitment(house, draw.number, secret),
            |beacon| beacon_commitment(house, draw.number, beacon),
        );
        let agrees = committed == Some(&computed) && draw.opens(house, place, secret);
        if let Some(beacon) = beacon {
            let line = draw.signatures.get(place + 1).map_or("", String::as_str);
            let _ = writeln!(out, "  beacon         {beacon}");
            let _ = writeln!(out, "  round          {line}");
            if let (Ok(beacon), Some(round)) = (Beacon::parse(beacon), Round::parse(line)) {
                let moment_ms = beacon.moment_ms(round.number);
                let _ = writeln!(out, "  its moment     {}", utc(moment_ms));
                let _ = writeln!(out, "  draw closed    {}", utc(close.at_ms));
            }
        }
        let _ = writeln!(out, "  secret         {}", hex::encode(secret));
        let _ = writeln!(
            out,
            "  recomputed     {} {}",
            hex::encode(computed),
            word(agrees)
        );
    }
    let Some(recorded) = &draw.balls else {
        return out;
    };
    let _ = writeln!(out, "recorded balls   {:?}", recorded.balls);
    let Some(derivation) = draw.derivation(house).filter(|_| !secrets.is_empty()) else {
        return out;
    };
    let computed = recompute(&derivation, secrets);
    let agrees = computed.balls == recorded.balls;
    let _ = writeln!(
        out,
        "recomputed balls {:?} {}",
        computed.balls,
        word(agrees)
    );
    let (used, rejected) = (computed.words_used, computed.words_rejected);
    let agrees = (recorded.words_used, recorded.words_rejected) == (used, rejected);
    let _ = writeln!(
        out,
        "words            {used} used, {rejected} rejected {}",
        word(agrees)
    );
    let agrees = recorded.secrets_hash == secrets_hash(secrets);
    let _ = writeln!(
        out,
        "secrets hash     {} {}",
        hex::encode(recorded.secrets_hash),
        word(agrees)
    );
    if draw.holders.len() == 1 {
        let _ = writeln!(
            out,
            "one holder: the house is trusted not to combine the two roles"
        );
    }
    out
}

/// A moment in UTC, as ISO 8601 writes it.
fn utc(at_ms: i64) -> String {
    DateTime::from_timestamp_millis(at_ms).map_or_else(String::new, |at| at.to_rfc3339())
}

fn word(agrees: bool) -> &'static str {
    if agrees { "agrees" } else { "DIFFERS" }
}
