//! The house's recovery code: with it one administrator who is left makes another.
//!
//! It stands in the record as a badge that nobody has and that has no role: its credential is kept
//! as those of PINs are, a wrong code counts as a wrong PIN, and each use makes another code in the
//! same transaction. Until two administrators have made one that the user did not read alone, an
//! alarm stands.

use keno_log::event::PersonRecorded;
use keno_record::keys::Tag;
use keno_record::people::{CONSOLE, People, RECOVERY};
use keno_record::sequencer::{Judge, Lane};
use zeroize::Zeroizing;

use crate::Stop;
use crate::authority::Operation;
use crate::central::Central;
use crate::central::pin_door::{Credential, Door, secret_credential};
use crate::refusal::Refusal;
use crate::staff::people::{NewPerson, keep, record, recording};
use crate::staff::pins::recognise_for;
use crate::staff::two_people::{must_be_two, must_stand};

/// Signs of a code: five bits each, 100 in all.
const SIGNS: usize = 20;
/// Signs of a group, as a code is printed.
const GROUP: usize = 5;
/// Digits and letters without those that are read for another.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// A recovery code: said once, kept nowhere.
pub struct RecoveryCode(Zeroizing<String>);

impl RecoveryCode {
    /// As it is printed, in groups.
    pub fn printed(&self) -> String {
        let signs: Vec<char> = self.0.chars().collect();
        let groups: Vec<String> = signs.chunks(GROUP).map(|it| it.iter().collect()).collect();
        groups.join("-")
    }

    /// The signs of a code as somebody typed them.
    pub fn typed(text: &str) -> Zeroizing<String> {
        let is_sign = |one: &char| one.is_ascii_alphanumeric();
        let signs = text.chars().filter(is_sign);
        let read = signs.map(|one| match one.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            other => other,
        });
        Zeroizing::new(read.collect())
    }
}

/// Never shown by mistake.
impl std::fmt::Debug for RecoveryCode {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("RecoveryCode")
    }
}

fn new_code(central: &Central) -> Result<(RecoveryCode, Credential), Stop> {
    let bytes = central.chance.bytes()?;
    let signs = bytes.iter().take(SIGNS);
    let code: String = signs
        .map(|byte| char::from(ALPHABET[usize::from(byte % 32)]))
        .collect();
    let code = RecoveryCode(Zeroizing::new(code));
    let made = secret_credential(&central.keys, RECOVERY, &code.0)?;
    made.make_known(central);
    Ok((code, made))
}

impl RecoveryCode {
    /// Makes the first recovery code of a house, with its first administrators.
    ///
    /// # Errors
    /// [`Refusal::HouseHasRecoveryCode`], or a fault.
    pub fn first(central: &Central) -> Result<RecoveryCode, Stop> {
        let (code, made) = new_code(central)?;
        central
            .sequencer
            .submit_blocking(Lane::Money, move |judge| {
                if judge.state.people.contains_key(RECOVERY) {
                    return Err(Refusal::HouseHasRecoveryCode.into());
                }
                record_code(judge, &made, (CONSOLE, ""))
            })?;
        Ok(code)
    }

    /// Makes another recovery code, by two administrators: the one before is good for nothing.
    ///
    /// # Errors
    /// As `must_be_two`; a fault.
    pub fn renew(central: &Central, by: &str, second: &str) -> Result<RecoveryCode, Stop> {
        let (code, made) = new_code(central)?;
        let (by, second) = (by.to_owned(), second.to_owned());
        central
            .sequencer
            .submit_blocking(Lane::Money, move |judge| {
                let operation = Operation::RenewRecoveryCode;
                must_be_two(judge.staff(), operation, &by, &second)?;
                record_code(judge, &made, (&by, &second))
            })?;
        Ok(code)
    }
}

impl RecoveryTried {
    /// Tries the recovery code at the command line, as a PIN is tried.
    ///
    /// # Errors
    /// As `recognise`.
    pub fn recognise(central: &Central, typed: &str) -> Result<RecoveryTried, Stop> {
        let signs = RecoveryCode::typed(typed);
        recognise_for(central, RECOVERY, &signs, Door::Recovery, &|_| true)?;
        let view = central.view.get();
        let person = view.people.get(RECOVERY).ok_or(Refusal::RecordUnknown)?;
        Ok(RecoveryTried(person.credential))
    }

    /// Makes another administrator, by one who is left and the recovery code, which both were
    /// right. The new one chooses a PIN first; the code is used up, and another is returned.
    ///
    /// # Errors
    /// [`Refusal::BadgeOrPinWrong`] for a code that was used meanwhile,
    /// [`Refusal::StaffNumberKept`] for a badge that stands in the record already,
    /// [`Refusal::SamePersonTwice`] for the same human, [`Refusal::PinTooEasy`], and as
    /// `must_stand`; a fault.
    pub fn recover_administrator(
        &self,
        central: &Central,
        person: &NewPerson<'_>,
        by: &str,
    ) -> Result<RecoveryCode, Stop> {
        let one = recording(central, person)?;
        let (code, made) = new_code(central)?;
        let (by, tried) = (by.to_owned(), self.0);
        central
            .sequencer
            .submit_blocking(Lane::Money, move |judge| {
                let people = &judge.state.people;
                let Some(left) = people.get(&by).filter(|left| left.active) else {
                    return Err(Refusal::RecordUnknown.into());
                };
                Operation::RecoverAdministrator.judge_roles(&left.roles)?;
                let is_unused = people
                    .get(RECOVERY)
                    .is_some_and(|stands| stands.credential == tried);
                if !is_unused {
                    return Err(Refusal::BadgeOrPinWrong.into());
                }
                if let Some(known) = people.get(&one.badge) {
                    let staff = known.staff.clone();
                    return Err(Refusal::StaffNumberKept { staff }.into());
                }
                if left.staff == one.wanted.staff {
                    return Err(Refusal::SamePersonTwice.into());
                }
                must_stand(people, &one.badge, &one.wanted)?;
                keep(judge, &one.credential)?;
                record(judge, &one.badge, one.wanted.clone(), (&by, RECOVERY))?;
                record_code(judge, &made, (&by, ""))
            })?;
        Ok(code)
    }
}

/// A recovery code that was right.
pub struct RecoveryTried(Tag);

impl RecoveryCode {
    /// Whether the recovery code that stands was made by one person alone, after a use.
    pub fn was_used(people: &People) -> bool {
        people.get(RECOVERY).is_some_and(|code| code.must_change)
    }
}

fn record_code(
    judge: &mut Judge<'_>,
    made: &Credential,
    (by, second): (&str, &str),
) -> Result<u64, Stop> {
    keep(judge, made)?;
    Ok(judge.record(PersonRecorded {
        badge: RECOVERY.to_owned(),
        staff: RECOVERY.to_owned(),
        name: String::new(),
        roles: Vec::new(),
        credential: made.hash,
        // Who used the last one read this one alone.
        must_change: by != CONSOLE && second.is_empty(),
        card: 0,
        active: true,
        by: by.to_owned(),
        second: second.to_owned(),
    })?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let code = RecoveryCode(Zeroizing::new("0123456789ABCDEFGHJK".to_owned()));
        assert_eq!(code.printed(), "01234-56789-ABCDE-FGHJK");
        assert_eq!(*RecoveryCode::typed("oi234-56789 abcde-fghjk"), *code.0);
        assert_eq!(format!("{code:?}"), "RecoveryCode");
        assert_eq!(ALPHABET.len().pow(4), 1 << 20, "five bits a sign");
    }
}
