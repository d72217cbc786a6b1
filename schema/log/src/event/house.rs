//! Facts of the house: rules, people, devices, sessions, tills, sales as a whole.

use super::CommandKey;
use crate::encode::record;
use crate::hash::Hash;

record! {
    /// The log begins: whose it is and which key signs its checkpoints.
    HouseOpened {
        /// Short name of the house, part of every derivation.
        house: String,
        /// Name printed on paper.
        name: String,
        /// IANA time zone of the business day.
        zone: String,
        /// Verifier key of the checkpoints, C2SP text form.
        log_key: String,
        /// Number of the first draw.
        first_draw: u64,
    }
}

record! {
    /// A version of the rules, published by two people (ss. 2, 76, 85).
    RuleBookPublished {
        /// Version number, one more than the last, from 1.
        version: u32,
        /// First draw that it governs for new tickets.
        effective_from: u64,
        /// SHA-256 of the text.
        hash: Hash,
        /// The rule book's text, byte for byte (`RULES.md`, "The rule book").
        text: String,
        /// Badge of who published.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// A person's badge, roles and credential, as they now stand (`RULES.md`, "People").
    PersonRecorded {
        /// Badge code.
        badge: String,
        /// Staff number: two badges with the same are one human. A badge keeps the one that it has.
        staff: String,
        /// Name shown to colleagues; may be empty.
        name: String,
        /// Role numbers, ascending: 1 clerk, 2 supervisor, 3 cage, 4 marker, 5 verifier, 6 auditor, 7 technician, 8 administrator.
        roles: Vec<u8>,
        /// SHA-256 of the credential (argon2id over HMAC(pepper; badge, PIN), PHC text form), which is kept beside the record and never in it.
        credential: Hash,
        /// True until the owner has changed the PIN that was set for them.
        must_change: bool,
        /// Which card of this badge counts, from 1; 0 while none was made. A card holds 80 bits that only the house can compute.
        card: u32,
        /// False once the badge is withdrawn.
        active: bool,
        /// Badge of who recorded it: an administrator, the owner for a PIN of their own, or `console` for the first two administrators and the first recovery code.
        by: String,
        /// Badge of the second person; empty where one is enough; `recovery` where it was the recovery code, which stands as a badge of that name and is nobody's (`RULES.md`, "People").
        second: String,
    }
}

record! {
    /// A device and its key, as they now stand.
    DeviceRecorded {
        /// Device number, never reused.
        device: u32,
        /// Name on screens and paper, such as T07.
        name: String,
        /// 1 counter, 2 kiosk, 3 display, 4 audit office, 5 draw desk, 6 back office, 7 counter
        /// of the main cage.
        role: u8,
        /// SHA-256 of the device's key: of its SubjectPublicKeyInfo (DER) where it has a
        /// certificate, else of the 32 bytes that it sends.
        key_hash: Hash,
        /// False once the device is revoked.
        active: bool,
        /// Badge of who recorded it, or `device` for a new key of its own.
        by: String,
        /// Badge of the second person; empty where the device is revoked or follows its own key.
        second: String,
    }
}

record! {
    /// A person signs on at a device; the session's keys can be used.
    SessionOpened {
        /// Session number, never reused.
        session: u64,
        /// Device number.
        device: u32,
        /// Badge code.
        badge: String,
        /// SHA-256 of the session's token.
        token_hash: Hash,
    }
}

record! {
    /// A session ends; its unknown keys are dead from here on.
    SessionEnded {
        /// Session number.
        session: u64,
        /// 1 signed off, 2 replaced by a new sign-on, 3 ended by a supervisor, 4 device revoked, 5 device handed over, 7 as long as one may be, 8 its person was recorded anew.
        reason: u8,
        /// Badge code, `console` or `central`.
        by: String,
    }
}

record! {
    /// A till is opened for a person.
    ShiftOpened {
        /// Shift number, never reused.
        shift: u64,
        /// Device number of the till.
        device: u32,
        /// Badge of the holder of the till.
        badge: String,
        /// Opening float.
        float_cents: i64,
    }
}

record! {
    /// A till is counted blind and closed.
    ///
    /// What `expected_cents` is made of is in `RULES.md`, "Tills".
    ShiftClosed {
        /// Shift number.
        shift: u64,
        /// Cash counted before the expected figure was shown.
        counted_cents: i64,
        /// Cash that the record expects.
        expected_cents: i64,
        /// Badge code.
        by: String,
        /// Badge of the second person, where the till is not that of `by`.
        second: Option<String>,
    }
    added {
        /// Coupons counted. All four are 0 in a record of before, which does not say them.
        coupons: u32,
        /// What they come to.
        coupon_cents: i64,
        /// Chips counted.
        chips: u32,
        /// What they come to.
        chip_cents: i64,
    }
}

record! {
    /// Cash put into or taken out of a till by two people.
    TillMoved {
        /// Shift number.
        shift: u64,
        /// Key of the command.
        key: CommandKey,
        /// SHA-256 of the request's content, for repeated keys.
        content_hash: Hash,
        /// 1 fill, 2 drop.
        kind: u8,
        /// Positive.
        amount_cents: i64,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// A central takes over the writing of the log.
    LeaseTaken {
        /// Name of the running central.
        instance: String,
        /// Fencing number, one more than the last, from 1.
        fence: u64,
    }
}

record! {
    /// The clock is doubtful: no draw step is taken until two people confirm it.
    ScheduleHalted {
        /// 1 wall clock jumped against the monotonic one, 2 long silence before the start, 3 clock behind the log.
        reason: u8,
        /// What the clock showed.
        seen_ms: i64,
        /// What it should have shown.
        expected_ms: i64,
    }
}

record! {
    /// Two people confirm the clock; the schedule goes on.
    ScheduleConfirmed {
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// Sales stop for the whole house.
    SalesSuspended {
        /// Why, in words.
        reason: String,
        /// Badge code, or `guard`.
        by: String,
    }
}

record! {
    /// Sales go on.
    SalesResumed {
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// The log goes on in a new epoch from an older state of itself: what came after was lost
    /// ("Epochs").
    EpochOpened {
        /// Number of the epoch, above that of every epoch known; a log begins in epoch 1.
        epoch: u32,
        /// Leaves that it goes on from: the index of this leaf.
        continues_size: u64,
        /// Root of the tree over them.
        continues_root: Hash,
        /// Leaves of the newest state known of what was lost; `continues_size` if none is known.
        lost_size: u64,
        /// Its root; `continues_root` if none is known.
        lost_root: Hash,
        /// Number of the next draw: the lost part can have used none from here on.
        next_draw: u64,
        /// Least number of the sessions opened from here on.
        next_session: u64,
        /// Least number of the shifts opened from here on.
        next_shift: u64,
        /// Why, in words.
        reason: String,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// A device is left, by two people: a neighbour goes on with its till and with what it left
    /// open, and it is locked.
    ///
    /// Its sessions have ended before this leaf. It is locked until a later `DeviceRecorded` of it
    /// that is active.
    DeviceHandedOver {
        /// Number of the device that is left.
        device: u32,
        /// Number of the device that goes on.
        to: u32,
        /// Shift of the till that moves there; none where none was open.
        shift: Option<u64>,
        /// Why, in words.
        reason: String,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// A till is counted blind in the middle of a shift by two people; nothing moves, and it stays
    /// open.
    ///
    /// `expected_cents` is what 8 would say at this leaf (`RULES.md`, "Tills").
    TillCounted {
        /// Shift number.
        shift: u64,
        /// Device number of the till.
        device: u32,
        /// Cash counted before the expected figure was shown.
        counted_cents: i64,
        /// Cash that the record expects.
        expected_cents: i64,
        /// Why, in words.
        reason: String,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// Somebody may be made an acting supervisor from here on, or no more: by two administrators
    /// (`RULES.md`, "Acting supervisors").
    ActingNamed {
        /// Badge of who is named.
        badge: String,
        /// False where the naming is taken back.
        may_act: bool,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// Somebody who was named is an acting supervisor for the rest of this leaf's business day
    /// (`RULES.md`, "Acting supervisors").
    ActingMade {
        /// Badge of who acts.
        badge: String,
        /// Badge of a supervisor, or of the cage.
        by: String,
        /// Badge of the second person; none where `by` is a supervisor.
        second: Option<String>,
    }
}
