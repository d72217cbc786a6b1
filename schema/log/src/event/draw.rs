//! Facts of a draw.

use crate::encode::record;
use crate::hash::Hash;

record! {
    /// A draw is announced: its times, source, pool and cap.
    DrawScheduled {
        /// Draw number, sequential, never reused (NJ (d)).
        draw: u64,
        /// When sales close.
        closes_at_ms: i64,
        /// When the first number is shown.
        draws_at_ms: i64,
        /// 1 computer, 2 balls (s. 75).
        source: u8,
        /// Names of the holders of secrets, in the order of the derivation.
        holders: Vec<String>,
        /// Numbers in the pool.
        pool_size: u8,
        /// Numbers drawn.
        drawn: u8,
        /// Maximum payable in prizes (ss. 77, 82(5)).
        cap_cents: i64,
        /// Prizes per way below it are paid in full when the cap bites.
        full_below_cents: i64,
    }
}

record! {
    /// A holder commits to its secret, before the first wager for the draw.
    CommitmentRecorded {
        /// Draw number.
        draw: u64,
        /// Place of the holder in the derivation, from 0.
        position: u8,
        /// SHA-256 over tag, house, draw and secret, each with its length (`DRAW.md`, 1).
        commitment: Hash,
    }
}

record! {
    /// Wagers for the draw may be registered from here on.
    DrawOpened {
        /// Draw number.
        draw: u64,
    }
}

record! {
    /// Sales are closed. The tree's size and root just after this leaf are the seal.
    DrawClosed {
        /// Draw number.
        draw: u64,
        /// Tickets that take part.
        tickets: u64,
        /// Selections that take part.
        selections: u64,
        /// Wagers for this draw alone.
        wagered_cents: i64,
    }
}

record! {
    /// The seal is handed to the machine; nothing before it can change.
    DrawStarted {
        /// Draw number.
        draw: u64,
        /// Leaves in the tree just after the closing leaf.
        seal_size: u64,
        /// Root of that tree.
        seal_root: Hash,
        /// SHA-256 of the rule book in force for this draw (`RULES.md`).
        rule_book_hash: Hash,
    }
}

record! {
    /// The winning numbers in order; all of them are recorded before the first is shown.
    BallsRecorded {
        /// Draw number.
        draw: u64,
        /// 1 computer, 2 balls, 3 recording played back (drills only).
        machine: u8,
        /// Winning numbers in the order drawn.
        balls: Vec<u8>,
        /// Words of the key stream that were read.
        words_used: u64,
        /// Words among them that were rejected.
        words_rejected: u64,
        /// SHA-256 of the secrets, 32 bytes after 32 bytes in holder order, nothing between (`DRAW.md`, 5).
        secrets_hash: Hash,
    }
}

record! {
    /// The result is official.
    DrawCertified {
        /// Draw number.
        draw: u64,
        /// `guard` alone, for a computer draw that passed every check; or two badges or more.
        certifiers: Vec<String>,
    }
}

record! {
    /// The secrets of the draw, for anyone to recompute it.
    SecretsRevealed {
        /// Draw number.
        draw: u64,
        /// Secrets in holder order, 32 bytes each.
        secrets: Vec<Hash>,
    }
}

record! {
    /// Every prize of the draw is fixed and payable.
    DrawSettled {
        /// Draw number.
        draw: u64,
        /// Tickets with a prize.
        winners: u64,
        /// Sum of the prizes per way below the threshold, before the cap.
        small_cents: i64,
        /// Sum of the other prizes, before the cap.
        large_cents: i64,
        /// Sum of what is payable.
        payable_cents: i64,
        /// Factor of the small prizes, numerator.
        small_numerator: u64,
        /// Factor of the small prizes, denominator.
        small_denominator: u64,
        /// Factor of the large prizes, numerator.
        large_numerator: u64,
        /// Factor of the large prizes, denominator.
        large_denominator: u64,
        /// What rounding down left of the lesser of cap and total.
        breakage_cents: i64,
        /// Root of the tree over the prize list (`FORMAT.md`, "Prize list").
        prize_root: Hash,
    }
}

record! {
    /// The draw is interrupted; its seal stands.
    DrawSuspended {
        /// Draw number.
        draw: u64,
        /// Why, in words.
        reason: String,
        /// Badge code, or `guard`.
        by: String,
    }
}

record! {
    /// The interrupted draw goes on from its seal.
    DrawResumed {
        /// Draw number.
        draw: u64,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// The draw is void; every wager for it is refunded, but of tickets that are withdrawn (marked
    /// unpaid after the seal, too).
    DrawVoided {
        /// Draw number.
        draw: u64,
        /// Why, in words.
        reason: String,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
        /// Tickets with a refund.
        tickets: u64,
        /// Sum of the refunds.
        refund_cents: i64,
    }
}

record! {
    /// One of the two people who enter the balls of a draw by hand says what one was. Nobody else
    /// sees it before the draw is official.
    BallEntered {
        /// Draw number.
        draw: u64,
        /// Place in the order, from 1.
        position: u8,
        /// The number; 0 asks for this ball once more, of both.
        number: u8,
        /// Badge code of whoever enters.
        by: String,
        /// Device of the session.
        device: u32,
    }
}

record! {
    /// A ball counts: both people entered the same. Of one position the newest counts.
    BallDrawn {
        /// Draw number.
        draw: u64,
        /// Place in the order, from 1.
        position: u8,
        /// The number.
        number: u8,
        /// Badge of who began to enter first.
        by: String,
        /// Badge of the other.
        second: String,
    }
}

record! {
    /// Another person enters the balls from here on, all of them from the film.
    EntererReplaced {
        /// Draw number.
        draw: u64,
        /// Badge of who leaves.
        leaving: String,
        /// Badge of who enters from here on.
        arriving: String,
        /// Badge of the second person.
        second: String,
        /// Why, in words.
        reason: String,
    }
}

record! {
    /// A ball counts that the machine itself read (s. 75): it said so on its line, and nobody has
    /// entered a ball of the draw.
    BallRead {
        /// Draw number.
        draw: u64,
        /// Place in the order, from 1.
        position: u8,
        /// The number.
        number: u8,
        /// The set of balls, as the machine said.
        ball_set: String,
        /// The machine, as the house calls it.
        machine: String,
        /// UTC milliseconds on the machine's own clock, as it said; 0 where it has none. Nothing
        /// follows from it.
        said_at_ms: i64,
    }
}

record! {
    /// Something was wrong on the line of a machine that reads its balls; from incident 20 on its line
    /// has stopped for this draw, and two people enter the balls.
    LineIncident {
        /// Draw number.
        draw: u64,
        /// What. The line goes on: 1 signs that are no frame, 2 a frame that is cut or changed, 3 a
        /// ball that was said already, 4 a ball before its turn, 5 a frame of another draw, 6 nothing
        /// was heard for two seconds, 7 the connection was lost, 8 the machine's clock is wrong. It has
        /// stopped: 20 people enter the balls, 21 a number that another ball has, 22 a number outside
        /// the pool, 23 another number for a ball that counts, 24 more balls than are drawn, 25 a set
        /// that is not in the machine, 26 the end before the last ball, 27 the machine says that it is
        /// stopped, 28 fewer balls than count.
        incident: u8,
        /// Balls that count by then.
        counted: u8,
        /// What was heard, as far as it can be shown, or the badge of who enters.
        said: String,
    }
}

record! {
    /// Two people say what they saw of the balls of a draw that is interrupted.
    TubesAttested {
        /// Draw number.
        draw: u64,
        /// The balls that count, in order.
        balls: Vec<u8>,
        /// 1 they are all there, 2 the tubes were emptied, 3 a ball fell, 4 one of the two who
        /// entered is missing; 5 the draw cannot go on, and is interrupted.
        finding: u8,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// The computer draws in place of the ball machine, of which no ball was entered.
    ComputerStoodIn {
        /// Draw number.
        draw: u64,
        /// Why, in words.
        reason: String,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// Machine and holders that are on hosts of their own, before the first wager of the draw.
    HostsNamed {
        /// Draw number.
        draw: u64,
        /// The machine's key and that of each holder in their order, in the text form of C2SP signed
        /// notes, `name+id+base64`: the name is that of the host. In the place of a holder that is a public
        /// beacon its text (`RULES.md`, "A public beacon"). Empty for what is within central.
        keys: Vec<String>,
    }
}

record! {
    /// The hosts vouch for the numbers that were just recorded.
    HostsSigned {
        /// Draw number.
        draw: u64,
        /// The signature line of the machine under the balls, and of each holder under its commitment
        /// (`RULES.md`, "Hosts"); of a public beacon its round. Empty for what is within central.
        signatures: Vec<String>,
    }
}
