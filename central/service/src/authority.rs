//! Who may do what, and from where: one table. Each operation of the interface, the pages and the
//! command line is a row; what has no row does not exist. The checks, the addresses of the server,
//! `docs/roles.md` and the test of every cell are made from it.

mod document;
pub mod identity;
mod row;
mod table;

use keno_record::roles::{DeviceRole, Role, has_any};

use crate::authority::identity::{Caller, DeviceCaller};
use crate::refusal::Refusal;

pub use row::{Door, Own, Second, Who};
pub use table::Operation;
pub(crate) use table::THIRD_JUDGES;

/// Where somebody asks from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Anywhere: no device has proved its key.
    Nowhere,
    /// The command line on central's own machine.
    Console,
    /// A device that proved its key.
    Device(DeviceRole),
}

impl Place {
    /// Where a device stands; nowhere without one.
    pub fn of(device: Option<&DeviceCaller>) -> Self {
        device.map_or(Self::Nowhere, |device| Self::Device(device.role))
    }
}

impl Operation {
    /// Judges whether an operation may be asked for at a place at all, whoever asks.
    ///
    /// # Errors
    /// [`Refusal::DeviceUnknown`] where a device is needed and none is named, or
    /// [`Refusal::WrongPlace`].
    pub fn judge_place(self, place: Place) -> Result<(), Refusal> {
        let row = self.row();
        match (row.who, place) {
            (Who::Public | Who::Anyone | Who::House, _)
            | (Who::Console { .. } | Who::Host, Place::Console)
            | (Who::Signing { console: true, .. }, Place::Console) => Ok(()),
            (Who::Console { .. } | Who::Host, _) => Err(Refusal::WrongPlace { needed: &[] }),
            (Who::Device { at } | Who::Signing { at, .. }, Place::Device(role))
                if at.contains(&role) =>
            {
                Ok(())
            }
            (who @ Who::Person { .. }, Place::Device(role)) if !who.roles_at(role).is_empty() => {
                Ok(())
            }
            (
                Who::Device { at } | Who::Signing { at, .. } | Who::Person { at, .. },
                Place::Device(_),
            ) => Err(Refusal::WrongPlace { needed: at }),
            (Who::Device { .. } | Who::Signing { .. } | Who::Person { .. }, _) => {
                Err(Refusal::DeviceUnknown)
            }
        }
    }

    /// Judges whether somebody of these roles may ask for an operation, wherever it is.
    ///
    /// # Errors
    /// [`Refusal::WrongRole`].
    pub fn judge_roles(self, roles: &[u8]) -> Result<(), Refusal> {
        match self.row().who {
            Who::Public | Who::Anyone | Who::Device { .. } | Who::House | Who::Host => Ok(()),
            Who::Signing { roles: needed, .. }
            | Who::Person { roles: needed, .. }
            | Who::Console { roles: needed } => {
                if has_any(roles, needed) {
                    Ok(())
                } else {
                    let needed = needed.to_vec();
                    Err(Refusal::WrongRole { needed })
                }
            }
        }
    }

    /// The roles of a second person that an operation takes beside a first of these roles: anyone of
    /// the first list when the first person answers for it, else somebody who does.
    pub fn second_roles(self, first: &[u8]) -> &'static [Role] {
        match self.row().second {
            Second::None => &[],
            Second::OneOf(roles) | Second::WhenRuled(roles) => roles,
            Second::UnlessBy { either, .. } => either,
            Second::Beside { answering, either } => {
                if has_any(first, answering) {
                    either
                } else {
                    answering
                }
            }
        }
    }

    /// Whether somebody of these roles may sign on at a device at all: where some operation that needs
    /// a person is theirs.
    pub fn may_sign_on(at: DeviceRole, roles: &[u8]) -> bool {
        Operation::ALL.iter().any(|operation| {
            // What everybody does with their own session says nothing of the place.
            operation.row().own != Own::Session && has_any(roles, &operation.row().who.roles_at(at))
        })
    }
}

impl Caller {
    /// Refuses a caller who may not do this here.
    ///
    /// # Errors
    /// As [`Operation::judge_place`], or [`Refusal::WrongRole`].
    pub fn may(&self, operation: Operation) -> Result<(), Refusal> {
        let here = self.device.role;
        operation.judge_place(Place::Device(here))?;
        let Who::Person { at, roles, also } = operation.row().who else {
            return operation.judge_roles(&self.roles);
        };
        let grants = || std::iter::once((at, roles)).chain(also.iter().copied());
        let here = || grants().filter(|(at, _)| at.contains(&here));
        if here().any(|(_, roles)| has_any(&self.roles, roles)) {
            return Ok(());
        }
        // Whoever may do it here, by whatever line of the table.
        let mut needed: Vec<Role> = Vec::new();
        for role in here().flat_map(|(_, roles)| roles) {
            if !needed.contains(role) {
                needed.push(*role);
            }
        }
        if needed.is_empty() {
            needed.extend(roles);
        }
        Err(Refusal::WrongRole { needed })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use keno_words::Say;

    use super::*;

    #[test]
    fn every_operation_has_its_row_and_its_name_once() {
        let mut names = BTreeSet::new();
        let mut doors = BTreeSet::new();
        for operation in Operation::ALL {
            let row = operation.row();
            assert!(names.insert(row.name), "{} twice", row.name);
            assert!(!row.doors.is_empty(), "{} has no door", row.name);
            for door in row.doors {
                assert!(doors.insert(door.text()), "{} twice", door.text());
            }
        }
    }

    #[test]
    fn kiosks_and_displays_move_no_money_and_nobody_signs_on_there() {
        for role in Role::ALL {
            assert!(!Operation::may_sign_on(DeviceRole::Kiosk, &[role.number()]));
            assert!(!Operation::may_sign_on(
                DeviceRole::Display,
                &[role.number()]
            ));
        }
        for operation in Operation::ALL {
            let who = operation.row().who;
            for place in [DeviceRole::Kiosk, DeviceRole::Display] {
                let signs = matches!(who, Who::Signing { at, .. } if at.contains(&place));
                assert!(
                    !signs && who.roles_at(place).is_empty(),
                    "{}",
                    operation.row().name
                );
            }
        }
    }

    /// Whoever is refused is told of everybody who may do it there, by whatever line of the table.
    #[test]
    fn a_refusal_names_all_who_may_do_it_there() {
        let told = |place, operation| {
            let caller = Caller {
                device: DeviceCaller {
                    device: 1,
                    role: place,
                    name: String::new(),
                },
                session: 1,
                badge: "V1".to_owned(),
                roles: vec![Role::Verifier.number()],
            };
            let refusal = caller.may(operation).unwrap_err();
            [refusal.fr(), refusal.en()]
        };
        for (place, operation, fr, en) in [
            (
                DeviceRole::Counter,
                Operation::JudgeFile,
                [true, true],
                "supervisor or",
            ),
            (
                DeviceRole::Desk,
                Operation::JudgeFile,
                [true, false],
                "supervisor.",
            ),
            (
                DeviceRole::Office,
                Operation::LiftBadge,
                [true, false],
                "or administrator",
            ),
        ] {
            let said = told(place, operation);
            let cage = Role::Cage.fr();
            assert_eq!(
                [
                    said[0].contains(&Role::Supervisor.fr()),
                    said[0].contains(&cage)
                ],
                fr,
                "{said:?}"
            );
            assert!(said[1].contains(en), "{said:?}");
        }
    }

    #[test]
    fn an_auditor_moves_no_money_and_no_draw() {
        for operation in Operation::ALL {
            let row = operation.row();
            for place in DeviceRole::ALL {
                if row.who.roles_at(place).contains(&Role::Auditor) && row.own != Own::Session {
                    assert_eq!(place, DeviceRole::Audit, "{}", row.name);
                    assert_eq!(row.second, Second::None, "{}", row.name);
                }
            }
        }
    }

    #[test]
    fn who_may_sign_on_where() {
        use DeviceRole::{Audit, Cage, Counter, Desk, Office};
        let at = |role: Role| {
            DeviceRole::ALL
                .into_iter()
                .filter(|place| Operation::may_sign_on(*place, &[role.number()]))
                .collect::<Vec<_>>()
        };
        assert_eq!(at(Role::Clerk), [Counter, Cage]);
        assert_eq!(at(Role::Cage), [Counter, Cage]);
        assert_eq!(at(Role::Auditor), [Audit]);
        assert_eq!(at(Role::Supervisor), [Counter, Desk, Office, Cage]);
        assert_eq!(at(Role::Administrator), [Office]);
        assert_eq!(at(Role::Technician), [Counter, Audit, Desk, Office, Cage]);
        assert_eq!(at(Role::Marker), [Counter, Desk, Cage]);
    }
}
