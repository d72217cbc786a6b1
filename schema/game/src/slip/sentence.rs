//! A refused slip in a sentence, for a clerk or a patron, in both languages.

use std::fmt;

use crate::selection::letter;
use crate::slip::{SlipDetail, SlipRefusal, SlipRefusalCode};

impl SlipRefusal {
    /// One sentence in French, with its figures.
    #[must_use]
    pub fn sentence_fr(&self) -> String {
        let place = match self.selection {
            Some(index) => format!("Sélection {} : ", letter(index.into())),
            None => String::new(),
        };
        format!("{place}{}", self.body_fr())
    }

    /// One sentence in English, with its figures.
    #[must_use]
    pub fn sentence_en(&self) -> String {
        let place = match self.selection {
            Some(index) => format!("Selection {}: ", letter(index.into())),
            None => String::new(),
        };
        format!("{place}{}", self.body_en())
    }

    fn body_fr(&self) -> String {
        use SlipRefusalCode as Code;
        match self.code {
            Code::NoSelections => "la fiche n’a aucune sélection.".to_owned(),
            Code::TooManySelections => format!(
                "la fiche a {} sélections; le maximum est {}.",
                self.asked(),
                self.most()
            ),
            Code::NoDraws => "le nombre de tirages n’est pas indiqué.".to_owned(),
            Code::TooManyDraws => format!(
                "{} tirages demandés; le maximum est {}.",
                self.asked(),
                self.most()
            ),
            Code::UnknownGame => "ce jeu n’est pas offert.".to_owned(),
            Code::UnknownType => "ce type de sélection n’est pas offert pour ce jeu.".to_owned(),
            Code::QuickPickNotStraight => {
                "la mise-éclair n’est offerte que pour une sélection simple.".to_owned()
            }
            Code::NoNumbers => "aucun numéro n’est marqué, ou un groupe est vide.".to_owned(),
            Code::NumbersNotOfType => {
                "les groupes ou les rois marqués ne vont pas avec ce type de sélection.".to_owned()
            }
            Code::NumberOutOfRange => match self.detail {
                SlipDetail::NumberOfPool { number, max } => {
                    format!("le numéro {number} n’existe pas; choisir de 1 à {max}.")
                }
                _ => "un numéro n’existe pas.".to_owned(),
            },
            Code::NumberRepeated => {
                format!("le numéro {} est marqué deux fois.", self.number())
            }
            Code::TooManyNumbers => format!(
                "{} numéros marqués; le maximum est {}.",
                self.asked(),
                self.most()
            ),
            Code::TooFewNumbers => format!(
                "{} numéros marqués; le minimum est {}.",
                self.asked(),
                self.least()
            ),
            Code::GroupsOverlap => {
                format!("le numéro {} est dans deux groupes.", self.number())
            }
            Code::WayNotGenerated => format!(
                "les groupes ne donnent pas {}; ils donnent {}. Au besoin, faire deux sélections.",
                self.way_asked(),
                self.ways_generated("rien")
            ),
            Code::WayRepeated => format!(
                "les combinaisons de {} numéros sont indiquées deux fois.",
                self.number()
            ),
            Code::NoWaysChosen => format!(
                "aucune combinaison n’est choisie; les groupes donnent {}.",
                self.ways_generated("rien")
            ),
            Code::WayPaysNothing => match self.detail {
                SlipDetail::Spots { asked, min, max } => format!(
                    "une combinaison de {asked} numéros ne paie rien; choisir de {min} à {max} numéros."
                ),
                _ => "une combinaison ne paie rien.".to_owned(),
            },
            Code::TooManyWays => format!(
                "{} combinaisons demandées; le maximum est {}.",
                self.asked(),
                self.most()
            ),
            Code::WagerMissing => "la mise n’est pas indiquée.".to_owned(),
            Code::WagerGivenTwice => {
                "une mise est indiquée pour la sélection et pour ses combinaisons.".to_owned()
            }
            Code::WagerBelowMinimum | Code::WagerAboveMaximum | Code::WagerOffStep => {
                self.wager_fr()
            }
            Code::SameNumbersOverLimit => match &self.detail {
                SlipDetail::Amount { asked, max } => format!(
                    "{} sur les mêmes numéros; un billet en porte au plus {} par tirage.",
                    asked.text_fr(),
                    max.text_fr()
                ),
                _ => "trop est misé sur les mêmes numéros.".to_owned(),
            },
            Code::TotalOverflow => "la mise totale est trop grande.".to_owned(),
            Code::QuickPickFailed => {
                "l’ordinateur n’a pas pu choisir de numéros; recommencer.".to_owned()
            }
        }
    }

    /// Which wagers are permitted.
    fn wager_fr(&self) -> String {
        match &self.detail {
            SlipDetail::Wager {
                asked,
                min,
                max,
                step,
            } => format!(
                "mise de {}; elle doit être de {} à {}, par tranche de {}.",
                asked.text_fr(),
                min.text_fr(),
                max.text_fr(),
                step.text_fr()
            ),
            _ => "la mise n’est pas permise.".to_owned(),
        }
    }

    fn body_en(&self) -> String {
        use SlipRefusalCode as Code;
        match self.code {
            Code::NoSelections => "the slip has no selection.".to_owned(),
            Code::TooManySelections => format!(
                "the slip has {} selections; the maximum is {}.",
                self.asked(),
                self.most()
            ),
            Code::NoDraws => "the number of draws is missing.".to_owned(),
            Code::TooManyDraws => format!(
                "{} draws asked; the maximum is {}.",
                self.asked(),
                self.most()
            ),
            Code::UnknownGame => "this game is not offered.".to_owned(),
            Code::UnknownType => "this type of selection is not offered for this game.".to_owned(),
            Code::QuickPickNotStraight => {
                "quick pick is offered for a straight selection only.".to_owned()
            }
            Code::NoNumbers => "no number is marked, or a group is empty.".to_owned(),
            Code::NumbersNotOfType => {
                "the groups or kings marked don’t go with this type of selection.".to_owned()
            }
            Code::NumberOutOfRange => match self.detail {
                SlipDetail::NumberOfPool { number, max } => {
                    format!("there is no number {number}; choose from 1 to {max}.")
                }
                _ => "a number does not exist.".to_owned(),
            },
            Code::NumberRepeated => format!("the number {} is marked twice.", self.number()),
            Code::TooManyNumbers => format!(
                "{} numbers marked; the maximum is {}.",
                self.asked(),
                self.most()
            ),
            Code::TooFewNumbers => format!(
                "{} numbers marked; the minimum is {}.",
                self.asked(),
                self.least()
            ),
            Code::GroupsOverlap => format!("the number {} is in two groups.", self.number()),
            Code::WayNotGenerated => format!(
                "the groups don’t give {}; they give {}. If need be, make two selections.",
                self.way_asked(),
                self.ways_generated("nothing")
            ),
            Code::WayRepeated => {
                format!("the ways of {} numbers are given twice.", self.number())
            }
            Code::NoWaysChosen => format!(
                "no way is chosen; the groups give {}.",
                self.ways_generated("nothing")
            ),
            Code::WayPaysNothing => match self.detail {
                SlipDetail::Spots { asked, min, max } => {
                    format!("a way of {asked} numbers pays nothing; choose {min} to {max} numbers.")
                }
                _ => "a way pays nothing.".to_owned(),
            },
            Code::TooManyWays => format!(
                "{} ways asked; the maximum is {}.",
                self.asked(),
                self.most()
            ),
            Code::WagerMissing => "the wager is missing.".to_owned(),
            Code::WagerGivenTwice => {
                "a wager is given for the selection and for its ways.".to_owned()
            }
            Code::WagerBelowMinimum | Code::WagerAboveMaximum | Code::WagerOffStep => {
                match &self.detail {
                    SlipDetail::Wager {
                        asked,
                        min,
                        max,
                        step,
                    } => format!(
                        "wager of {}; it must be {} to {}, in steps of {}.",
                        asked.text_en(),
                        min.text_en(),
                        max.text_en(),
                        step.text_en()
                    ),
                    _ => "the wager is not permitted.".to_owned(),
                }
            }
            Code::SameNumbersOverLimit => match &self.detail {
                SlipDetail::Amount { asked, max } => format!(
                    "{} on the same numbers; a ticket carries at most {} per draw.",
                    asked.text_en(),
                    max.text_en()
                ),
                _ => "too much is wagered on the same numbers.".to_owned(),
            },
            Code::TotalOverflow => "the total wager is too large.".to_owned(),
            Code::QuickPickFailed => "the computer could not choose numbers; try again.".to_owned(),
        }
    }

    fn asked(&self) -> u64 {
        match self.detail {
            SlipDetail::Count { asked, .. } => asked,
            _ => 0,
        }
    }

    fn least(&self) -> u64 {
        match self.detail {
            SlipDetail::Count { min, .. } => min,
            _ => 0,
        }
    }

    fn most(&self) -> u64 {
        match self.detail {
            SlipDetail::Count { max, .. } => max,
            _ => 0,
        }
    }

    fn number(&self) -> u8 {
        match self.detail {
            SlipDetail::Number(number) => number,
            _ => 0,
        }
    }

    /// The way at fault as a clerk writes it: `2/4`, or `?/4`.
    fn way_asked(&self) -> String {
        match &self.detail {
            SlipDetail::Ways {
                asked_ways,
                asked_spots,
                ..
            } => match asked_ways {
                Some(ways) => format!("{ways}/{asked_spots}"),
                None => format!("?/{asked_spots}"),
            },
            _ => String::new(),
        }
    }

    /// What the groups generate: `2/4, 1/8`.
    fn ways_generated(&self, nothing: &str) -> String {
        match &self.detail {
            SlipDetail::Ways { generated, .. } if !generated.is_empty() => generated
                .iter()
                .map(|(ways, spots)| format!("{ways}/{spots}"))
                .collect::<Vec<_>>()
                .join(", "),
            _ => nothing.to_owned(),
        }
    }
}

/// The stable name, for the log of a process; people get a sentence.
impl fmt::Display for SlipRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code.name())?;
        if let Some(index) = self.selection {
            write!(formatter, " in selection {}", letter(index.into()))?;
        }
        if let Some(field) = self.field {
            write!(formatter, " ({field})")?;
        }
        Ok(())
    }
}
