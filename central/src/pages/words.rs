//! Every word that the pages say, in both languages of the house.
//!
//! A key cannot exist in one language only: each line of the catalogue is one field of [`Words`]
//! with both texts, and so is each line of the facts. `{name}` marks the place of a value and is the same on both sides (tested).

use keno_log::EventKind;

macro_rules! catalogue {
    ($($key:ident: $fr:literal, $en:literal;)*) => {
        /// The catalogue of one language.
        pub(super) struct Words {
            /// Its place in a pair of texts.
            column: usize,
            $(pub $key: &'static str,)*
        }

        /// French.
        pub(super) static FR: Words = Words { column: 0, $($key: $fr,)* };

        /// English.
        pub(super) static EN: Words = Words { column: 1, $($key: $en,)* };

        /// Key, French, English: what tests look through.
        #[cfg(test)]
        pub(super) const EVERY: &[(&str, &str, &str)] = &[$((stringify!($key), $fr, $en)),*];
    };
}

/// A text in French and in English.
type Pair = [&'static str; 2];

macro_rules! facts {
    ($($kind:ident: $fr:literal, $en:literal $(on sheets $sheet_fr:literal, $sheet_en:literal)?;)*) => {
        /// Facts in words: on sheets, and last on pages.
        const FACTS: &[(EventKind, &[Pair])] = &[$(
            (EventKind::$kind, &[$([$sheet_fr, $sheet_en],)? [$fr, $en]]),
        )*];
    };
}

facts! {
    ShiftOpened: "Caisse ouverte", "Till opened";
    ShiftClosed: "Caisse comptée et fermée", "Till counted and closed";
    TillMoved: "Argent déplacé", "Cash moved";
    EpochOpened: "Registre repris d’une sauvegarde", "Record resumed from a backup";
    DeviceHandedOver: "Terminal remis à un voisin", "Terminal handed over to a neighbour";
    TillCounted: "Caisse comptée en cours de quart", "Till counted in the middle of the shift";
    ActingNamed: "Suppléance de superviseur, désignation", "Acting supervisor, naming";
    ActingMade: "Superviseur suppléant", "Acting supervisor";
    DrawScheduled: "Tirage prévu", "Draw scheduled" on sheets "Tirage annoncé", "Draw announced";
    CommitmentRecorded: "Engagement consigné", "Commitment recorded" on sheets "Engagement", "Commitment";
    DrawOpened: "Ventes ouvertes", "Sales opened";
    DrawClosed: "Ventes fermées, sceau pris", "Sales closed, seal taken" on sheets "Ventes closes, sceau", "Sales closed, sealed";
    DrawStarted: "Tirage commencé", "Draw started" on sheets "Sceau remis", "Seal handed over";
    BallsRecorded: "Boules consignées", "Balls recorded" on sheets "Numéros inscrits", "Numbers recorded";
    DrawCertified: "Résultat certifié officiel", "Result certified official" on sheets "Résultat officiel", "Result official";
    SecretsRevealed: "Secrets révélés", "Secrets revealed" on sheets "Secrets publiés", "Secrets published";
    DrawSettled: "Lots établis", "Prizes settled" on sheets "Lots fixés", "Prizes fixed";
    DrawSuspended: "Tirage suspendu", "Draw suspended" on sheets "Tirage interrompu", "Draw interrupted";
    DrawResumed: "Tirage repris", "Draw resumed";
    DrawVoided: "Tirage annulé", "Draw cancelled" on sheets "Tirage annulé", "Draw void";
    TicketSold: "Enregistré, mise perçue", "Registered, wager paid" on sheets "Billet enregistré", "Ticket registered";
    TicketCancelled: "Billet annulé, mise rendue", "Ticket cancelled, wager given back" on sheets "Billet annulé", "Ticket cancelled";
    TicketUnpaid: "Nul : mise non payée avant le tirage", "Void: wager not paid before the draw" on sheets "Mise non payée (art. 83)", "Wager not paid (s. 83)";
    PrintConfirmed: "Impression confirmée", "Print confirmed";
    TicketReleased: "Billet libéré sur preuve", "Ticket released on evidence" on sheets "Billet retenu, libéré", "Held ticket released";
    TicketDuplicated: "Duplicata émis", "Duplicate issued";
    ClaimPresented: "Présenté pour réclamation", "Presented as a claim" on sheets "Présenté en réclamation", "Presented as a claim";
    PrizePaid: "Lot payé", "Prize paid" on sheets "Paiement", "Payment";
    PaymentReversed: "Paiement repris", "Payment reversed" on sheets "Paiement renversé", "Payment reversed";
    DiscrepancyNoted: "Écart papier et registre noté", "Discrepancy noted" on sheets "Écart papier et registre", "Paper and record differ";
    KeyClosed: "Clé de commande fermée", "Command key closed";
    PrizesExpired: "Délai de réclamation passé", "Claim period over";
    PaymentHeld: "Paiement retenu", "Payment held";
    TicketRemarked: "Remarque de l’audit interne", "Remark of the audit office";
    LostTicketRefunded: "Billet perdu remboursé", "Lost ticket refunded";
    PatronRefused: "Paiement refusé au porteur", "Holder refused payment";
}

/// What a fact is called on a sheet.
pub fn fact_on_sheets(kind: EventKind) -> Option<Pair> {
    let (_, said) = FACTS.iter().find(|(known, _)| *known == kind)?;
    said.first().copied()
}

catalogue! {
    // Frame of every page.
    skip: "Aller au contenu", "Skip to content";
    nav_label: "Pages du Keno", "Keno pages";
    nav_draws: "Tirages", "Draws";
    nav_check: "Vérifier un billet", "Check a ticket";
    nav_prizes: "Tableau des lots", "Prize table";
    nav_audit: "Vérification interne", "Audit";
    other_language: "English", "Français";
    foot_record: "En cas de divergence, le registre de l’ordinateur central prévaut.", "If they differ, the record of the central computer prevails.";
    foot_play: "Le jeu doit rester un jeu. 18 ans et plus.", "Keep the game a game. 18 and over.";
    draw: "Tirage", "Draw";
    leaf: "Feuille", "Leaf";
    fact: "Fait", "Fact";
    at: "Moment", "Moment";
    to: "à", "to";
    yes: "oui", "yes";
    no: "non", "no";
    none: "aucun", "none";
    size: "Taille", "Size";
    root: "Racine", "Root";
    amount: "Montant", "Amount";
    tender: "Mode", "Tender";
    badge: "Insigne", "Badge";
    pin: "NIP", "PIN";
    selection: "Sélection", "Selection";
    control_number: "Numéro de contrôle", "Control number";
    claim_by: "Réclamer au plus tard le", "Claim by";
    copy: "Exemplaire", "Copy";
    rule_book: "Version des règles", "Rule book version";
    rule_book_hash: "SHA-256 du texte des règles", "SHA-256 of the rule book’s text";
    king: "roi", "king";
    quick_pick: "mise-éclair", "quick pick";
    kind_straight: "Simple", "Straight";
    kind_way: "Combinaison", "Way";
    kind_king: "Combinaison avec roi", "Way with king";
    cash: "argent", "cash";
    coupon: "coupon", "coupon";
    chip: "jetons", "chips";
    source_computer: "Ordinateur", "Computer";
    source_balls: "Boulier", "Draw machine";

    // States of a draw.
    state_scheduled: "Prévu", "Scheduled";
    state_open: "Ventes en cours", "Sales open";
    state_closed: "Ventes terminées", "Sales closed";
    state_drawing: "Tirage en cours", "Drawing";
    state_drawn: "En vérification, non officiel", "Being verified, not official";
    state_official: "Officiel", "Official";
    state_settled: "Officiel, lots établis", "Official, prizes settled";
    state_suspended: "Suspendu", "Suspended";
    state_void: "Annulé", "Cancelled";
    state_unknown: "État inconnu", "State unknown";

    // Hall monitor. French is in capitals where the board shouts; English stays small beside it.
    board_title: "Tableau du Keno", "Keno board";
    board_draw: "TIRAGE", "Draw";
    board_numbers: "Numéros du Keno", "Keno numbers";
    board_last: "Dernier tirage", "Last draw";
    board_last_title: "DERNIER TIRAGE", "Last draw";
    board_last_draws: "Derniers tirages", "Last draws";
    board_ascending: "En ordre croissant. Résultats officiels.", "In ascending order. Official results.";
    board_next: "Prochain tirage", "Next draw";
    board_at: "à {time}", "at {time}";
    board_order: "Ordre de sortie", "Draw order";
    board_no_draw_yet: "Aucun tirage officiel pour le moment.", "No official draw yet.";
    board_noscript: "Ce tableau a besoin de scripts pour suivre le tirage. Les résultats sont à la page des tirages et au comptoir.", "This board needs scripts to follow the draw. Results are on the page of draws and at the counter.";
    board_connecting: "OUVERTURE DU TABLEAU", "Board starting";
    board_idle: "AUCUN TIRAGE PRÉVU", "No draw planned";
    board_open: "VENTES EN COURS", "Sales open";
    board_closing: "FIN DES VENTES DANS {left}", "Sales close in {left}";
    board_closed: "VENTES TERMINÉES", "Sales closed";
    board_drawing: "TIRAGE EN COURS", "Drawing";
    board_verifying: "EN VÉRIFICATION : NON OFFICIEL", "Not official yet";
    board_official: "RÉSULTAT OFFICIEL", "Official result";
    board_suspended: "TIRAGE SUSPENDU", "Draw suspended";
    board_sales_suspended: "VENTES SUSPENDUES", "Sales suspended";
    board_cancelled: "TIRAGE ANNULÉ", "Draw cancelled";
    board_stale: "CONNEXION INTERROMPUE", "Connection lost";
    board_stale_where: "Connexion interrompue, résultats au comptoir", "Connection lost, results at the counter";
    board_suspended_words: "Les billets restent valides. La suite sera affichée ici.", "Tickets stay valid. What follows will be shown here.";
    board_sales_suspended_words: "Aucune vente pour le moment. Les billets émis restent valides.", "No sales for now. Tickets issued stay valid.";
    board_cancelled_words: "Les mises de ce tirage sont remboursées au comptoir.", "Wagers on this draw are refunded at the counter.";
    board_closed_words: "Le tirage commence dans un instant.", "The draw starts in a moment.";
    board_verifying_words: "Attendez l’annonce du résultat officiel.", "Wait for the official result.";
    board_ball: "Boule {n} de {total}", "Ball {n} of {total}";
    board_official_at: "Officiel à {time}", "Official at {time}";
    board_closes_in: "Fin des ventes dans", "Sales close in";
    board_no_next: "Aucun tirage prévu", "No draw planned";
    board_by_computer: "Tirage par ordinateur", "Computer draw";
    board_by_balls: "Tirage par boulier", "Draw machine";
    board_mention_spots: "Choisissez de {min} à {max} numéros par sélection", "Choose {min} to {max} numbers per selection";
    board_mention_rules: "Règles et lots : {place}", "Rules and prizes: {place}";
    board_mention_cap: "Maximum payable en lots par tirage : {amount}", "Maximum payable per draw: {amount}";
    board_mention_record: "L’ordinateur central prévaut", "The central computer prevails";
    board_mention_age: "18 ans et plus", "18 and over";

    // Prize table.
    prizes_title: "Tableau des lots", "Prize table";
    prizes_none: "Les règles ne sont pas encore publiées. Le tableau des lots est au comptoir.", "The rules are not published yet. The prize table is at the counter.";
    prizes_lead: "Ce que paie chaque sélection, selon les numéros joués et les numéros trouvés.", "What each selection pays, by numbers played and numbers found.";
    prizes_found: "Trouvés", "Found";
    prizes_played: "Numéros joués", "Numbers played";
    prizes_per_dollar: "Lot pour une mise de 1 $", "Prize for a $1 wager";
    prizes_cap: "Maximum payable en lots par tirage", "Maximum payable in prizes per draw";
    prizes_pool: "Numéros", "Numbers";
    prizes_pool_value: "{drawn} tirés parmi {pool}", "{drawn} drawn from {pool}";
    prizes_slip: "Par fiche", "Per slip";
    prizes_slip_value: "jusqu’à {selections} sélections et {draws} tirages", "up to {selections} selections and {draws} draws";
    prizes_claim: "Réclamation", "Claims";
    prizes_claim_value: "{days} jours après le dernier tirage, {place}", "{days} days after the last draw, {place}";
    prizes_rules: "Règles", "Rules";
    prizes_version: "{version}, à partir du tirage {draw}", "{version}, from draw {draw}";
    prizes_cap_rule: "Si les lots d’un tirage dépassent ce maximum, les lots inférieurs à {threshold} sont payés en entier et les autres sont réduits au prorata ; le facteur est publié avec le tirage.", "If the prizes of a draw exceed this maximum, prizes below {threshold} are paid in full and the others are prorated; the factor is published with the draw.";
    prizes_game_about: "De {min} à {max} numéros par sélection. Mise par tirage de {low} à {high}, par {step}.", "{min} to {max} numbers per selection. Wager per draw {low} to {high}, by {step}.";
    prizes_return: "Taux de retour", "Return rate";
    prizes_exact: "Taux de retour exacts", "Exact return rates";
    prizes_exact_about: "Calculés en fractions exactes avant la publication ; des règles dont une ligne serait sous 65 % sont refusées (art. 85). Le plus bas tient compte du maximum payable et de tout ce qu’un billet peut porter sur les mêmes numéros ; là où ces billets sont trop nombreux pour être réglés un à un, c’est une borne inférieure prouvée.", "Computed as exact fractions before publication; a rule book with a line under 65% is refused (s. 85). The lowest applies the maximum payable to all that one ticket may carry on the same numbers; where those tickets are too many to settle one by one, it is a proven lower bound.";
    prizes_fraction: "Fraction exacte", "Exact fraction";
    prizes_lowest: "Le plus bas", "Lowest";

    // Index.
    home_title: "Bienvenue au Keno", "Welcome to Keno";
    home_next: "Prochain tirage", "Next draw";
    home_no_next: "Aucun tirage prévu pour le moment.", "No draw planned for now.";
    home_last: "Dernier résultat officiel", "Last official result";
    home_board: "Tableau d’affichage", "Display board";
    home_board_about: "Le tirage, boule par boule, pour les écrans de la salle.", "The draw, ball by ball, for the monitors of the hall.";
    home_check_about: "Un billet a-t-il gagné, combien, où et jusqu’à quand ?", "Has a ticket won, how much, where and until when?";
    home_draws_about: "Les résultats, et de quoi les vérifier soi-même.", "The results, and what it takes to verify them oneself.";
    home_prizes_about: "Ce que paient les sélections, avec les taux de retour exacts.", "What selections pay, with the exact return rates.";
    home_audit_about: "Un numéro de contrôle et tout ce qui est au registre. Accès réservé.", "A control number and all that is on record. Restricted.";
    home_record: "Le registre", "The record";
    home_record_about: "Chaque vente, chaque tirage et chaque paiement est une feuille d’un registre où l’on ne fait qu’ajouter. Voici son dernier point de contrôle.", "Every sale, draw and payment is a leaf of a log to which one can only append. This is its newest checkpoint.";
    home_no_checkpoint: "Aucun point de contrôle publié pour le moment.", "No checkpoint published yet.";

    // Draws.
    draws_title: "Tirages", "Draws";
    draws_no_balls: "aucun numéro montré", "no numbers shown";
    draws_pages: "Autres pages de tirages", "More pages of draws";
    draws_newer: "Plus récents", "Newer";
    draws_older: "Plus anciens", "Older";
    draw_order: "Numéros gagnants, en ordre de sortie", "Winning numbers, in draw order";
    draw_partial: "{n} numéros montrés sur {total}. Le résultat n’est pas officiel.", "{n} numbers shown of {total}. The result is not official.";
    draw_void_words: "Ce tirage est annulé. Les mises sont remboursées au comptoir, sur présentation du billet.", "This draw is cancelled. Wagers are refunded at the counter, on presentation of the ticket.";
    draw_suspended_words: "Ce tirage est suspendu. Les billets restent valides ; la suite sera affichée ici.", "This draw is suspended. Tickets stay valid; what follows will be shown here.";
    draw_source: "Source", "Source";
    draw_planned: "Heure prévue", "Planned time";
    draw_closes: "Fin des ventes", "Sales close";
    draw_settlement: "Lots", "Prizes";
    draw_not_settled: "Les lots ne sont pas encore établis.", "Prizes are not settled yet.";
    draw_winners: "Billets avec un lot", "Tickets with a prize";
    draw_computed: "Lots avant le maximum", "Prizes before the maximum";
    draw_payable: "Lots payables", "Prizes payable";
    draw_factor_large: "Facteur des grands lots", "Factor of large prizes";
    draw_factor_small: "Facteur des petits lots", "Factor of small prizes";
    draw_breakage: "Reste des arrondis", "Left by rounding";
    draw_capped: "Le maximum payable a été atteint : des lots ont été réduits au prorata (art. 77 et 82).", "The maximum payable was reached: prizes were prorated (ss. 77 and 82).";
    draw_not_capped: "Le maximum payable n’a pas été atteint : chaque lot est payé en entier.", "The maximum payable was not reached: every prize is paid in full.";
    draw_prize_root: "Racine de la liste des lots", "Root of the prize list";
    draw_proof: "Sceau et engagements", "Seal and commitments";
    draw_seal_about: "Pris à la fermeture des ventes : ce qui précède est dans le tirage, ce qui suit n’y est pas.", "Taken when sales closed: what comes before is in the draw, what comes after is not.";
    draw_no_seal: "Pas encore de sceau : les ventes ne sont pas fermées.", "No seal yet: sales have not closed.";
    draw_seal_size: "Feuilles sous le sceau", "Leaves under the seal";
    draw_seal_root: "Racine du sceau", "Root of the seal";
    draw_tickets: "Billets qui participent", "Tickets that take part";
    draw_commitments: "Engagements", "Commitments";
    draw_commitment: "Engagement, publié avant la première mise", "Commitment, published before the first wager";
    draw_secret: "Secret", "Secret";
    draw_secret_later: "révélé après la dernière boule", "revealed after the last ball";
    draw_verify: "Vérifier soi-même", "Verify it oneself";
    draw_verify_about: "Le programme de vérification lit le registre publié et refait le sceau, les boules, les gagnants et les totaux sans partager de calcul avec ce serveur.", "The verifying program reads the published log and works out the seal, the balls, the winners and the totals again, sharing no arithmetic with this server.";
    draw_transcript: "Transcription (JSON)", "Transcript (JSON)";
    draw_proves: "Ce que cela prouve, et ce que cela ne prouve pas", "What this proves, and what it does not";
    draw_proves_body: "Les mises n’ont pu être changées après le sceau, et les boules n’ont pu être choisies après l’engagement.", "Wagers could not be changed after the seal, and balls could not be chosen after the commitment.";
    draw_limits_body: "Qui connaîtrait tous les secrets d’un tirage et pourrait aussi écrire des mises pourrait essayer des mises jusqu’à ce que les boules lui conviennent. Seuls des détenteurs sur des machines distinctes l’en empêcheraient.", "Someone who knew all the secrets of a draw and could also write wagers could try wagers until the balls suited him. Only holders on separate machines would prevent it.";
    draw_one_holder: "Ce tirage n’a qu’un détenteur : on se fie à la maison pour ne pas réunir les deux rôles.", "This draw has one holder: the house is trusted not to combine the two roles.";
    draw_many_holders: "Les {n} secrets de ce tirage sont tous sur la machine de l’ordinateur central : qui en dispose les a tous, et on se fie à la maison pour qu’il n’écrive pas de mises.", "The {n} secrets of this draw are all on the central computer’s machine: whoever controls it has them all, and the house is trusted that he writes no wagers.";
    draw_by_balls: "Les numéros de ce tirage viennent d’un boulier : le sceau prouve que les mises étaient fermées, et les personnes qui certifient répondent des boules.", "The numbers of this draw come from a draw machine: the seal proves that wagers were closed, and the people who certify answer for the balls.";
    draw_leaves: "Feuilles du registre", "Leaves of the log";
    draw_no_leaves: "Aucune feuille publiée pour ce tirage.", "No leaf published for this draw.";

    // What a page shows beside facts of the log.
    fact_checked: "Consultation", "Look-up";
    fact_printed: "Envoyé à l’imprimante", "Sent to the printer";

    // Ticket check.
    check_title: "Vérifier un billet", "Check a ticket";
    check_scan: "Scannez votre billet", "Scan your ticket";
    check_label: "ou tapez le numéro de contrôle", "or type the control number";
    check_hint: "16 chiffres, en haut et en bas du billet", "16 digits, at the top and bottom of the ticket";
    check_go: "Vérifier", "Check";
    check_larger: "Texte plus grand", "Larger text";
    check_to_claim: "À réclamer", "To claim";
    check_where: "Où", "Where";
    check_by: "Au plus tard le", "No later than";
    check_show: "Afficher le montant", "Show the amount";
    check_all_numbers: "Voir les 20 numéros", "See the 20 numbers";
    check_ticket: "Billet", "Ticket";
    check_help: "Une question ? Le comptoir Keno vous répondra. Gardez votre billet.", "A question? Ask at the Keno counter. Keep your ticket.";
    check_end: "Terminer", "Finish";
    check_more_time: "Plus de temps", "More time";
    check_closes_in: "Se ferme dans", "Closes in";
    check_scan_for_amount: "Pour voir le montant, scannez le code du billet.", "To see the amount, scan the code on the ticket.";
    check_winner: "Billet gagnant", "Winning ticket";
    check_working: "Vérification…", "Checking…";
    check_down: "Vérification impossible pour le moment. Présentez le billet au comptoir.", "Cannot check right now. Please take the ticket to the counter.";
    check_unreadable: "Code illisible. Tapez les 16 chiffres ou voyez le comptoir.", "Code unreadable. Type the 16 digits or see the counter.";
    check_pause: "Plusieurs numéros inconnus. Attendez une minute ou voyez le comptoir.", "Several unknown numbers. Wait a minute or see the counter.";
    check_draw_to_come: "à venir, {time}", "to come, {time}";
    check_draw_verified: "résultat en vérification", "being verified";
    check_draw_void: "tirage annulé", "draw cancelled";
    check_draw_refund: "annulé, remboursement {amount}", "cancelled, refund {amount}";
    check_draw_nothing: "aucun lot", "no prize";
    check_draw_capped: "{amount} (réduit au prorata, {before} avant le maximum)", "{amount} (prorated, {before} before the maximum)";
    payment_unpaid: "non payé", "not paid";
    payment_paid: "payé", "paid";
    payment_expired: "délai passé", "claim period over";
    payment_none: "rien à payer", "nothing to pay";

    // Audit.
    sign_in_title: "Accès à la vérification", "Audit sign-in";
    sign_in_about: "Chaque connexion et chaque consultation est inscrite, avec son motif.", "Every sign-in and every look-up is recorded, with its purpose.";
    sign_in: "Ouvrir la session", "Sign in";
    sign_out: "Fermer la session", "Sign out";
    purpose: "Motif", "Purpose";
    purpose_claim: "Réclamation", "Claim";
    purpose_complaint: "Plainte", "Complaint";
    purpose_sampling: "Échantillon", "Sampling";
    purpose_inquiry: "Enquête", "Inquiry";
    audit_title: "Vérification d’un billet", "Ticket audit";
    audit_look_up: "Consulter le registre", "Look up";
    audit_idle: "Tapez un numéro de contrôle. La consultation sera inscrite avec son motif.", "Type a control number. The look-up will be recorded with its purpose.";
    audit_malformed: "Ce ne sont pas 16 chiffres dont les deux derniers concordent : probablement une faute de frappe.", "These are not 16 digits whose last two agree: probably a typing slip.";
    audit_unknown: "Aucun billet n’a ce numéro. Les chiffres de contrôle concordent : ce n’est pas une faute de frappe.", "No ticket has this number. Its check digits agree: it is not a typing slip.";
    audit_unavailable: "Le registre ne peut pas répondre pour le moment.", "The record cannot answer right now.";
    audit_state: "Billet", "Ticket";
    ticket_sold: "valide", "valid";
    ticket_cancelled: "annulé", "cancelled";
    ticket_void_unpaid: "nul, non payé", "void, not paid";
    audit_held: "En suspens", "Held";
    audit_facts: "Au registre central", "On the central record";
    audit_facts_cite: "art. 82", "s. 82";
    fact_selections: "Sélections", "Selections";
    fact_wagers: "Mises", "Wagers";
    fact_draws: "Tirages", "Draws";
    audit_total: "{per} par tirage × {draws} = {total}, {tender}", "{per} per draw × {draws} = {total}, {tender}";
    audit_cap_reached: "atteint, lots réduits", "reached, prizes reduced";
    audit_life: "Ligne de vie", "Life line";
    audit_life_clock: "heure centrale", "central time";
    audit_nothing: "Rien au registre.", "Nothing on record.";
    audit_remark: "Remarque sur ce billet", "Remark on this ticket";
    audit_note_remark: "Inscrire la remarque", "Record the remark";
    audit_evaluation: "Évaluation", "Evaluation";
    audit_recomputed: "règles v{version}", "rules v{version}";
    audit_not_recomputed: "règles v{version}, sans recalcul", "rules v{version}, no recomputation";
    audit_no_evaluation: "Aucun tirage de ce billet n’a encore de lots établis.", "No draw of this ticket has been settled yet.";
    audit_numbers: "Numéros joués", "Numbers played";
    audit_catch: "Trouvés", "Found";
    audit_stored: "Au registre", "Stored";
    audit_again: "Recalculé", "Recomputed";
    audit_compare: "Comparaison", "Comparison";
    audit_equal: "concorde", "agrees";
    audit_different: "diffère", "differs";
    audit_all_agree: "Tout ce qui a été recalculé concorde avec le registre.", "All that was recomputed agrees with the record.";
    audit_some_differ: "Lignes qui diffèrent du registre : {n}. Le registre prévaut ; avisez le bureau de la vérification.", "Lines that differ from the record: {n}. The record prevails; tell the audit office.";
    audit_nothing_compared: "Rien n’a encore été comparé.", "Nothing has been compared yet.";
    audit_payment: "Paiement", "Payment";
    audit_before_cap: "avant le maximum : {amount}", "before the maximum: {amount}";
    audit_to_come: "à venir", "to come";
    audit_money: "Argent", "Money";
    audit_where: "Caisse et insignes", "Till and badges";
    audit_shift: "{terminal}, quart {shift}, {badges}", "{terminal}, shift {shift}, {badges}";
    audit_no_shift: "{terminal}, {badges}", "{terminal}, {badges}";
    audit_integrity: "Intégrité", "Integrity";
    audit_included: "Inclus dans le point de contrôle : preuve vérifiée", "Included in the checkpoint: proof verified";
    audit_not_included: "La preuve d’inclusion échoue", "The inclusion proof fails";
    audit_not_covered: "Aucun point de contrôle ne couvre encore cette feuille", "No checkpoint covers this leaf yet";
    audit_checkpoint_size: "Taille du point de contrôle", "Checkpoint size";
    audit_checkpoint_root: "Racine du point de contrôle", "Checkpoint root";
    audit_leaf_hash: "Empreinte de la feuille", "Leaf hash";
    audit_path: "Chemin de preuve, {n} empreintes", "Proof path, {n} hashes";
    audit_around: "Voisins et incidents", "Neighbours and incidents";
    audit_before: "Billet vendu juste avant", "Ticket sold just before";
    audit_after: "Billet vendu juste après", "Ticket sold just after";
    audit_replay_of: "Rejoué de", "Replay of";
    audit_incidents: "Incidents", "Incidents";
    audit_logged: "Cette consultation est inscrite : {at}, insigne {badge}, motif {purpose}.", "This look-up is recorded: {at}, badge {badge}, purpose {purpose}.";

    // Pages that say why there is no other.
    message_home: "Retour à l’accueil", "Back to the index";
    message_starting: "L’ordinateur central démarre", "The central computer is starting";
    message_starting_body: "Il relit son registre avant de répondre. Cette page sera prête dans un instant.", "It reads its record before it answers. This page will be ready in a moment.";
    message_not_found: "Page introuvable", "No such page";
    message_not_found_body: "L’adresse ne correspond à aucune page.", "The address matches no page.";
    message_no_such_draw: "Tirage introuvable", "No such draw";
    message_no_such_draw_body: "Aucun tirage ne porte ce numéro. Les numéros se suivent et ne servent qu’une fois.", "No draw has this number. Numbers follow each other and are used once.";
    message_too_many: "Trop de consultations", "Too many look-ups";
    message_too_many_body: "Attendez une minute, ou voyez le comptoir.", "Wait a minute, or see the counter.";
    message_down: "L’ordinateur central ne répond pas", "The central computer does not answer";
    message_down_body: "Rien n’est perdu : ce qui est enregistré le reste. Voyez le comptoir.", "Nothing is lost: what is registered stays registered. See the counter.";
    message_forbidden: "Accès réservé", "Restricted";
    message_forbidden_body: "Cet insigne n’a pas le rôle que cette page demande.", "This badge does not have the role that this page asks for.";
}

impl Words {
    /// A fact of the log in words: its kind name as `DrawClosed` or `draw_closed`.
    pub fn fact_of(&self, kind: &str) -> Option<&'static str> {
        let plain: String = kind
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_lowercase();
        match plain.as_str() {
            "checked" => Some(self.fact_checked),
            "printed" => Some(self.fact_printed),
            _ => FACTS
                .iter()
                .find(|(kind, _)| kind.name().eq_ignore_ascii_case(&plain))
                .and_then(|(_, said)| said.last()?.get(self.column).copied()),
        }
    }

    /// A tender by its stable name; an unknown one as it is.
    pub fn tender_of<'t>(&self, code: &'t str) -> &'t str {
        match code {
            "cash" => self.cash,
            "coupon" => self.coupon,
            "chip" => self.chip,
            other => other,
        }
    }

    /// Whether a (ticket, draw) was paid, by its stable name; an unknown one as it is.
    pub fn payment_of<'t>(&self, code: &'t str) -> &'t str {
        match code {
            "unpaid" => self.payment_unpaid,
            "paid" => self.payment_paid,
            "expired" => self.payment_expired,
            "none" => self.payment_none,
            other => other,
        }
    }

    /// Where numbers come from (s. 75), by its stable name; an unknown one as it is.
    pub fn source_of<'t>(&self, code: &'t str) -> &'t str {
        match code {
            "computer" => self.source_computer,
            "balls" => self.source_balls,
            other => other,
        }
    }

    /// A type of selection, by its stable name; an unknown one as it is.
    pub fn kind_of<'t>(&self, code: &'t str) -> &'t str {
        match code {
            "straight" => self.kind_straight,
            "way" => self.kind_way,
            "king" => self.kind_king,
            other => other,
        }
    }

    /// A state of a draw in words.
    pub fn state_of(&self, code: &str) -> &'static str {
        match code {
            "scheduled" => self.state_scheduled,
            "open" => self.state_open,
            "closed" => self.state_closed,
            "drawing" => self.state_drawing,
            "drawn" => self.state_drawn,
            "official" => self.state_official,
            "settled" => self.state_settled,
            "suspended" => self.state_suspended,
            "void" => self.state_void,
            _ => self.state_unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<&str> {
        let mut found: Vec<_> = text
            .split('{')
            .skip(1)
            .filter_map(|part| part.split('}').next())
            .collect();
        found.sort_unstable();
        found
    }

    /// What is written alike in both languages.
    const ALIKE: &[&str] = &[
        "coupon",
        "audit_no_shift",
        "selection",
        "draw_source",
        "audit_incidents",
        "at",
        "draw_secret",
        "fact_selections",
    ];

    fn faults(rows: &[(&str, &str, &str)]) -> Vec<String> {
        let mut out = Vec::new();
        for (key, fr, en) in rows {
            if fr.trim().is_empty() || en.trim().is_empty() {
                out.push(format!("{key}: empty"));
            }
            if places(fr) != places(en) {
                out.push(format!("{key}: places differ"));
            }
            if fr == en && !ALIKE.contains(key) {
                out.push(format!("{key}: same in both languages"));
            }
            if fr.contains('\'') || en.contains('\'') {
                out.push(format!("{key}: straight apostrophe"));
            }
        }
        out
    }

    /// Every row of the catalogue, and every fact.
    fn every() -> Vec<(&'static str, &'static str, &'static str)> {
        let facts = FACTS.iter().flat_map(|(kind, said)| {
            let said = said.iter();
            said.map(|[fr, en]| (kind.name(), *fr, *en))
        });
        EVERY.iter().copied().chain(facts).collect()
    }

    #[test]
    fn both_languages_say_everything_with_the_same_places() {
        assert!(every().len() > 200);
        assert_eq!(faults(&every()), Vec::<String>::new());
    }

    #[test]
    fn the_check_of_the_catalogue_finds_planted_faults() {
        let planted = [
            ("one", "Bonjour {name}", "Hello {nom}"),
            ("two", "Sales open", "Sales open"),
            ("three", "", "Hello"),
        ];
        assert_eq!(faults(&planted).len(), 3);
    }

    #[test]
    fn french_is_not_english() {
        // A French text that uses one of these was left untranslated.
        let english = [
            " the ", " of ", " draw", " ticket", " and ", "Sales", "Being", " by ",
        ];
        for (key, fr, _) in every() {
            for word in english {
                assert!(!format!(" {fr} ").contains(word), "{key}: {fr}");
            }
        }
    }

    #[test]
    fn known_names_have_words_and_unknown_ones_are_shown_as_they_are() {
        assert_eq!(FR.fact_of("DrawClosed"), FR.fact_of("draw_closed"));
        assert_eq!(FR.fact_of("DrawClosed"), Some("Ventes fermées, sceau pris"));
        assert_eq!(EN.fact_of("SomethingNew"), None);
        assert_eq!(EN.tender_of("shells"), "shells");
        assert_eq!(FR.state_of("?"), FR.state_unknown);
    }
}
