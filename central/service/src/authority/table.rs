//! The table.

use keno_record::roles::DeviceRole::{Audit, Cage, Counter, Desk, Display, Kiosk, Office};
use keno_record::roles::Role::{
    Administrator, Auditor, Clerk, Marker, Supervisor, Technician, Verifier,
};
use keno_record::roles::{DeviceRole, Role};

use super::row::{
    Limit, Own, Row, Second, Who, command, console, delete, device, form, get, page, people,
    person, post, signing, signing_or_console,
};

/// Where there is a till.
const TILLS: &[DeviceRole] = &[Counter, Cage];
/// Where people sign on.
const STAFFED: &[DeviceRole] = &[Counter, Cage, Audit, Desk, Office];
/// Every device.
const EVERY: &[DeviceRole] = &[Counter, Kiosk, Display, Audit, Desk, Office, Cage];
/// Where a supervisor sees the house.
const WALLS: &[DeviceRole] = &[Counter, Cage, Desk, Office];
/// Where steps of a draw are taken: at the desk, and at a counter of a house that has none.
const DRAWS: &[DeviceRole] = &[Counter, Cage, Desk];
/// Where balls are entered and draws decided.
const DESKS: &[DeviceRole] = &[Desk];
/// Where rules and limits are changed.
const OFFICES: &[DeviceRole] = &[Office];
/// Where auditors look.
const AUDITS: &[DeviceRole] = &[Audit];
/// Where a technician does what needs no till.
const WORKSHOPS: &[DeviceRole] = &[Counter, Cage, Audit, Desk, Office];

/// Everybody on the staff.
const STAFF: &[Role] = &Role::ALL;
/// Who serves patrons.
const SELLERS: &[Role] = &[Clerk, Supervisor];
/// Who may have a till.
const TELLERS: &[Role] = &[Clerk, Supervisor, Role::Cage];
/// Who answers for cash.
const CASH: &[Role] = &[Supervisor, Role::Cage];
/// Who decides about a file as the third.
pub const THIRD_JUDGES: &[Role] = &[Supervisor, Role::Cage, Administrator];
/// Who decides about sales and draws.
const SUPERVISORS: &[Role] = &[Supervisor];
/// Who looks at the evidence of a device that refuses central's log.
const LOOKERS: &[Role] = &[Technician, Supervisor];
/// Who enters the balls of a draw.
const ENTERERS: &[Role] = &[Marker, Verifier];
/// Who works at the desk of the draws.
const DRAWERS: &[Role] = &[Marker, Verifier, Supervisor];
/// Who decides about a draw, beside a supervisor.
const DECIDERS: &[Role] = &[Supervisor, Verifier];
/// Another person; one of the two is a supervisor.
const WITH_SUPERVISOR: Second = Second::Beside {
    answering: SUPERVISORS,
    either: DECIDERS,
};
/// Another person, who is not of the counter.
const BESIDE_THE_COUNTER: Second = Second::OneOf(&[Verifier, Administrator]);
/// Who changes express picks and limits.
const LIMITERS: &[Role] = &[Supervisor, Administrator];
/// Who enrols.
const ENROLLERS: &[Role] = &[Technician, Administrator];
/// Who lets a device in, beside whoever enrols it: one of the two is an administrator.
const KEY_HOLDERS: Second = Second::Beside {
    answering: ADMINISTRATORS,
    either: ENROLLERS,
};
/// Who publishes rules and makes people.
const ADMINISTRATORS: &[Role] = &[Administrator];
/// Who restores a record.
const RESTORERS: &[Role] = &[Supervisor, Technician, Administrator];
/// Who reads what has passed.
const AUDITORS: &[Role] = &[Auditor];

macro_rules! operations {
    ($(#[doc = $sentence:literal] $operation:ident => $row:expr;)*) => {
        /// What can be asked of central.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Operation {
            $(#[doc = $sentence] $operation,)*
        }

        impl Operation {
            /// Every operation, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$operation,)*];

            /// Its row.
            pub const fn row(self) -> &'static Row {
                match self {
                    $(Self::$operation => {
                        const ROW: Row = $row;
                        &ROW
                    })*
                }
            }

            /// What it is, in a sentence.
            pub const fn sentence(self) -> &'static str {
                match self {
                    $(Self::$operation => $sentence,)*
                }
            }
        }
    };
}

operations! {
    // People and sessions.
    /// Sign on with badge and PIN; open a till with a float.
    SignOn => Row::of("sign_on", signing(STAFFED, STAFF), &[post("/api/v1/sessions")])
        .limit(Limit::Pin).logged("signed on, or why not");
    /// Sign off.
    SignOff => Row::of("sign_off", person(STAFFED, STAFF), &[
        delete("/api/v1/sessions/current"), post("/api/v1/sessions/end"),
    ]).own(Own::Session);
    /// Come back to a locked screen.
    Unlock => Row::of("unlock", person(STAFFED, STAFF), &[post("/api/v1/sessions/unlock")])
        .own(Own::Session).limit(Limit::Pin).logged("signed on, or why not");
    /// End the session of somebody who does not come back, and go on at the same terminal.
    Relieve => Row::of("relieve", signing(TILLS, TELLERS), &[post("/api/v1/sessions/relief")])
        .second(Second::Beside { answering: SUPERVISORS, either: TELLERS })
        .limit(Limit::Pin).logged("signed on, or why not");

    /// Let a device begin anew with this central, whose log it had refused.
    BeginAnew => Row::of("begin_anew", signing(WORKSHOPS, LOOKERS), &[post("/api/v1/devices/begin-anew")])
        .limit(Limit::Pin).logged("who, and what the device had refused");
    /// Lift what keeps a badge out after too many wrong PINs.
    LiftBadge => Row::of("lift_badge", people(WALLS, SUPERVISORS, &[(OFFICES, ADMINISTRATORS)]), &[post("/api/v1/badges/lift")])
        .second(Second::OneOf(LIMITERS)).limit(Limit::Pin).logged("who lifted it for whom");

    // The till.
    /// Count the till blind and close it.
    CloseTill => Row::of("close_till", person(TILLS, TELLERS), &[post("/api/v1/shifts/close")])
        .own(Own::TillOpened)
        .second(Second::Beside { answering: SUPERVISORS, either: TELLERS })
        .limit(Limit::Pin);
    /// Put cash into the till or take it out.
    MoveTill => Row::of("move_till", person(TILLS, TELLERS), &[post("/api/v1/shifts/movements")])
        .own(Own::Till).second(Second::Beside { answering: CASH, either: TELLERS })
        .limit(Limit::Pin);
    /// Count the till blind in the middle of the shift.
    CountTill => Row::of("count_till", person(TILLS, TELLERS), &[post("/api/v1/shifts/counts")])
        .own(Own::Till).second(Second::Beside { answering: CASH, either: TELLERS })
        .limit(Limit::Pin);
    /// Read the sheet of a shift.
    ReadSheet => Row::of("read_sheet", people(TILLS, TELLERS, &[(WALLS, SUPERVISORS), (AUDITS, AUDITORS)]), &[
        get("/api/v1/shifts/{number}/sheet"), get("/api/v1/reports/shifts/{number}"),
    ]).own(Own::Shift);

    // Tickets.
    /// Price a slip.
    Price => Row::of("price", device(&[Counter, Kiosk, Cage]), &[post("/api/v1/prices")]);
    /// Register a slip that is paid for.
    Sell => Row::of("sell", person(TILLS, SELLERS), &[post("/api/v1/sales")]).own(Own::Till);
    /// Say that a paper came out whole.
    ConfirmPrint => Row::of("confirm_print", device(TILLS), &[post("/api/v1/prints")])
        .own(Own::Paper);
    /// Ask what a ticket is worth.
    Check => Row::of("check", Who::Anyone, &[post("/api/v1/checks")])
        .limit(Limit::Number).logged("a keyed hash of the number");
    /// Present a ticket as a claim.
    Present => Row::of("present", person(TILLS, TELLERS), &[post("/api/v1/presentations")])
        .limit(Limit::Number);
    /// Cancel a ticket before its first draw closes.
    Cancel => Row::of("cancel", person(TILLS, SELLERS), &[post("/api/v1/cancellations")])
        .own(Own::Till).second(Second::WhenRuled(CASH)).limit(Limit::Number);
    /// Pay prizes and refunds.
    Pay => Row::of("pay", person(TILLS, TELLERS), &[post("/api/v1/payments")])
        .own(Own::Till).second(Second::WhenRuled(CASH)).limit(Limit::Number);
    /// Undo a payment that was not handed over.
    ReversePayment => Row::of("reverse_payment", person(TILLS, TELLERS), &[post("/api/v1/reversals")])
        .own(Own::TillPaid).second(Second::OneOf(SUPERVISORS)).limit(Limit::Pin);
    /// Refund a ticket that a restore lost.
    RefundLost => Row::of("refund_lost", person(TILLS, TELLERS), &[post("/api/v1/lost-refunds")])
        .own(Own::Till).second(Second::Beside { answering: CASH, either: TELLERS })
        .limit(Limit::Number);
    /// Mark a ticket unpaid before its first draw (s. 83).
    MarkUnpaid => Row::of("mark_unpaid", person(TILLS, SELLERS), &[post("/api/v1/unpaid")])
        .second(Second::Beside { answering: SUPERVISORS, either: SELLERS }).limit(Limit::Number);
    /// Release a held ticket on evidence.
    Release => Row::of("release", person(TILLS, SELLERS), &[post("/api/v1/releases")])
        .second(Second::Beside { answering: SUPERVISORS, either: SELLERS }).limit(Limit::Number);
    /// Issue a duplicate.
    Duplicate => Row::of("duplicate", person(TILLS, SELLERS), &[post("/api/v1/duplicates")])
        .second(Second::Beside { answering: SUPERVISORS, either: SELLERS }).limit(Limit::Number);
    /// Note that paper and record differ (s. 84).
    NoteDiscrepancy => Row::of("note_discrepancy", person(TILLS, TELLERS), &[
        post("/api/v1/discrepancies"),
    ]).limit(Limit::Number);
    /// Refuse to pay a holder.
    RefusePatron => Row::of("refuse_patron", person(TILLS, TELLERS), &[
        post("/api/v1/patron-refusals"),
    ]).limit(Limit::Number);
    /// Say what stands on a paper whose code cannot be read, so that it is paid at once (s. 83).
    ReadDamaged => Row::of("read_damaged", person(TILLS, TELLERS), &[
        post("/api/v1/damaged/readings"),
    ]).own(Own::Till).second(Second::Beside { answering: CASH, either: TELLERS })
        .limit(Limit::Number);
    /// Keep a paper whose code cannot be read, and open its file (s. 83).
    OpenFile => Row::of("open_file", person(TILLS, TELLERS), &[post("/api/v1/damaged/files")])
        .limit(Limit::Number);
    /// Read the files of damaged papers.
    ReadFiles => Row::of("read_files", people(WALLS, SUPERVISORS, &[(TILLS, &[Role::Cage])]), &[
        get("/api/v1/damaged/files"),
    ]);
    /// Decide whether the ticket of a file is paid; from an amount on with a third person.
    JudgeFile => Row::of("judge_file", people(WALLS, SUPERVISORS, &[(TILLS, &[Role::Cage])]), &[
        post("/api/v1/damaged/files/{number}/judgement"),
    ]).second(Second::OneOf(TELLERS)).limit(Limit::Pin);
    /// Enter a presentation that took place while nothing could be entered.
    PresentAfterwards => Row::of("present_afterwards", person(TILLS, TELLERS), &[
        post("/api/v1/presentations/afterwards"),
    ]).second(Second::Beside { answering: CASH, either: TELLERS }).limit(Limit::Number);

    // Terminals that are left, and keys in doubt.
    /// Read which terminals were left to this one.
    ListHandOvers => Row::of("list_hand_overs", device(TILLS), &[get("/api/v1/hand-overs")]);
    /// Go on with the till and the doubts of a terminal that is left.
    TakeOver => Row::of("take_over", person(TILLS, TELLERS), &[post("/api/v1/hand-overs")])
        .second(Second::Beside { answering: CASH, either: TELLERS }).limit(Limit::Pin);
    /// Ask what became of a key.
    AskKey => Row::of("ask_key", device(TILLS), &[post("/api/v1/keys/question")]).own(Own::Key);
    /// Close a key that has no outcome.
    CloseKey => Row::of("close_key", person(TILLS, TELLERS), &[post("/api/v1/keys/close")])
        .own(Own::Key);

    // Draws and sales of the house.
    /// Read a draw, its transcript and certificate, what is on sale, the rules and the time.
    ReadHouse => Row::of("read_house", Who::Public, &[
        get("/api/v1/draws/last"), get("/api/v1/draws/next"), get("/api/v1/draws/{number}"),
        get("/api/v1/draws/{number}/transcript"), get("/api/v1/draws/{number}/certificate"),
        get("/api/v1/counter"),
        get("/api/v1/rules/current"), get("/api/v1/rules/versions/{version}"),
        get("/api/v1/time"),
    ]);
    /// Suspend a draw.
    SuspendDraw => Row::of("suspend_draw", person(DRAWS, DRAWERS), &[
        post("/api/v1/draws/{number}/suspend"),
    ]).second(Second::WhenRuled(DRAWERS));
    /// Let a suspended draw go on.
    ResumeDraw => Row::of("resume_draw", person(DRAWS, DECIDERS), &[
        post("/api/v1/draws/{number}/resume"),
    ]).second(WITH_SUPERVISOR).limit(Limit::Pin);
    /// Declare a draw void.
    VoidDraw => Row::of("void_draw", person(DRAWS, DECIDERS), &[
        post("/api/v1/draws/{number}/void"),
    ]).second(WITH_SUPERVISOR).limit(Limit::Pin);
    /// See the draws at their desk.
    SeeDesk => Row::of("see_desk", person(DESKS, DRAWERS), &[get("/api/v1/desk")]);
    /// Enter a ball, blind of the other who enters it.
    EnterBall => Row::of("enter_ball", person(DESKS, ENTERERS), &[
        post("/api/v1/draws/{number}/balls"),
    ]);
    /// Declare the balls of a draw official.
    CertifyDraw => Row::of("certify_draw", person(DESKS, DRAWERS), &[
        post("/api/v1/draws/{number}/certification"),
    ]).second(Second::OneOf(DRAWERS)).limit(Limit::Pin);
    /// Take the place of somebody who entered balls.
    ReplaceEnterer => Row::of("replace_enterer", person(DESKS, DRAWERS), &[
        post("/api/v1/draws/{number}/replacement"),
    ]).second(Second::Beside { answering: SUPERVISORS, either: DRAWERS }).limit(Limit::Pin);
    /// Hold a draw later.
    PostponeDraw => Row::of("postpone_draw", person(DESKS, DECIDERS), &[
        post("/api/v1/draws/{number}/postponement"),
    ]).second(WITH_SUPERVISOR).limit(Limit::Pin);
    /// Measure a set of balls.
    MeasureBallSet => Row::of("measure_ball_set", person(DESKS, DRAWERS), &[
        post("/api/v1/room/measures"),
    ]).second(Second::OneOf(DRAWERS));
    /// Have chance choose a set of balls, and open the draw room with it.
    OpenDrawRoom => Row::of("open_draw_room", person(DESKS, DRAWERS), &[
        post("/api/v1/room/choice"), post("/api/v1/room/opening"),
    ]).second(Second::OneOf(DRAWERS));
    /// Hand the draw room over, or end its day.
    EndDrawRoom => Row::of("end_draw_room", person(DESKS, DRAWERS), &[
        post("/api/v1/room/end"),
    ]).second(Second::OneOf(DRAWERS));
    /// See the draw room, and agree to what another asks there.
    SeeDrawRoom => Row::of("see_draw_room", person(DESKS, DRAWERS), &[
        get("/api/v1/room"), post("/api/v1/room/agreement"),
    ]);
    /// Log what happened in the draw room.
    LogIncident => Row::of("log_incident", person(DESKS, DRAWERS), &[
        post("/api/v1/room/incidents"),
    ]);
    /// Let the computer draw in place of the ball machine.
    StandIn => Row::of("stand_in", person(DESKS, DECIDERS), &[
        post("/api/v1/draws/{number}/computer"),
    ]).second(WITH_SUPERVISOR).limit(Limit::Pin);
    /// Stop the sales of the whole house.
    SuspendSales => Row::of("suspend_sales", person(WALLS, SUPERVISORS), &[
        post("/api/v1/house/suspend"),
    ]);
    /// Let the sales of the house go on.
    ResumeSales => Row::of("resume_sales", person(WALLS, SUPERVISORS), &[
        post("/api/v1/house/resume"),
    ]).second(Second::OneOf(SUPERVISORS)).limit(Limit::Pin);
    /// Confirm the clock after a jump or a long silence.
    ConfirmSchedule => Row::of("confirm_schedule", people(WALLS, SUPERVISORS, &[(OFFICES, ADMINISTRATORS)]), &[
        post("/api/v1/schedule/confirm"),
    ]).second(Second::OneOf(LIMITERS)).limit(Limit::Pin);

    // Rules.
    /// Publish a rule book.
    PublishRules => Row::of("publish_rules", person(OFFICES, ADMINISTRATORS), &[
        post("/api/v1/rules"),
    ]).second(Second::OneOf(LIMITERS)).limit(Limit::Pin);
    /// Change express picks and limits.
    AmendRules => Row::of("amend_rules", person(OFFICES, LIMITERS), &[
        get("/api/v1/rules/amendments"), post("/api/v1/rules/amendments"),
        post("/api/v1/rules/amendments/preview"),
    ]).second(Second::OneOf(LIMITERS)).limit(Limit::Pin);
    /// Make the selection slips and express cards of the rules in force.
    MakeSlips => Row::of("make_slips", people(WALLS, SUPERVISORS, &[(OFFICES, ADMINISTRATORS)]), &[get("/api/v1/slips/{name}")]);

    // What has passed.
    /// Look a ticket up, with a purpose.
    LookUpTicket => Row::of("look_up_ticket", person(AUDITS, AUDITORS), &[
        post("/api/v1/audit/tickets"), post("/api/v1/reports/tickets"),
    ]).limit(Limit::Number).logged("badge, purpose, a keyed hash of the number; before it is shown");
    /// Remark on a ticket.
    RemarkTicket => Row::of("remark_ticket", person(AUDITS, AUDITORS), &[
        post("/api/v1/audit/remarks"),
    ]);
    /// Read the report of a draw, and that of the numbers of all draws.
    ReportDraw => Row::of("report_draw", people(WALLS, SUPERVISORS, &[(AUDITS, AUDITORS)]), &[
        get("/api/v1/reports/draws/{number}"), get("/api/v1/reports/numbers"),
    ]);
    /// Sign in at the audit pages.
    SignInToAudit => Row::of("sign_in_to_audit", signing(&[Audit], AUDITORS), &[
        form("/audit/sign-in"),
    ]).limit(Limit::Pin).logged("signed on, or why not");
    /// Look a ticket up at the audit pages, and remark on it.
    AuditPages => Row::of("audit_pages", device(&[Audit]), &[
        page("/audit"), form("/audit"), page("/audit/sign-in"), form("/audit/sign-out"),
    ]).own(Own::Session).limit(Limit::Number)
        .logged("badge, purpose, a keyed hash of the number; before it is shown");

    // People.
    /// See who is on the staff.
    ReadPeople => Row::of("read_people", person(OFFICES, LIMITERS), &[get("/api/v1/people")]);
    /// Record a person or withdraw a badge.
    RecordPerson => Row::of("record_person", signing_or_console(OFFICES, ADMINISTRATORS), &[
        post("/api/v1/people"), post("/api/v1/people/withdraw"),
        command("admin person add"), command("admin person withdraw"),
    ]).second(Second::OneOf(ADMINISTRATORS)).limit(Limit::Pin).logged("signed on, or why not");
    /// Make a card for a badge.
    MakeCard => Row::of("make_card", signing_or_console(OFFICES, ADMINISTRATORS), &[
        post("/api/v1/people/card"), command("admin person card"),
    ]).second(Second::OneOf(ADMINISTRATORS)).limit(Limit::Pin).logged("signed on, or why not");
    /// Name somebody who may be made an acting supervisor, or take that back.
    NameActing => Row::of("name_acting", signing_or_console(OFFICES, ADMINISTRATORS), &[
        post("/api/v1/people/acting/naming"), command("admin person name-acting"),
    ]).second(Second::OneOf(ADMINISTRATORS)).limit(Limit::Pin).logged("signed on, or why not");
    /// Make somebody who was named an acting supervisor for the rest of the business day.
    MakeActing => Row::of("make_acting", signing_or_console(WALLS, CASH), &[
        post("/api/v1/people/acting"), command("admin person act"),
    ]).second(Second::UnlessBy { alone: SUPERVISORS, either: TELLERS }).limit(Limit::Pin)
        .logged("signed on, or why not");
    /// Choose another PIN for one's own badge.
    ChoosePin => Row::of("choose_pin", signing_or_console(STAFFED, STAFF), &[
        post("/api/v1/people/pin"), command("admin pin choose"),
    ]).limit(Limit::Pin).logged("signed on, or why not");
    /// Give a clerk who forgot the PIN another, good until it is changed.
    ResetPin => Row::of("reset_pin", signing_or_console(WALLS, SUPERVISORS), &[
        post("/api/v1/people/pin/reset"), command("admin pin reset"),
    ]).second(Second::OneOf(TELLERS)).limit(Limit::Pin).logged("signed on, or why not");

    // Devices.
    /// Ask to be enrolled, and what became of it.
    AskEnrolment => Row::of("ask_enrolment", Who::Public, &[
        post("/api/v1/enrolments"), post("/api/v1/enrolments/question"),
    ]);
    /// Type the code of a device that waits.
    ApproveEnrolment => Row::of("approve_enrolment", signing_or_console(WORKSHOPS, ENROLLERS), &[
        post("/api/v1/enrolments/approve"), command("admin device approve"),
    ]).second(KEY_HOLDERS).limit(Limit::Pin).logged("signed on, or why not");
    /// Renew a certificate, or prove a new key.
    RenewCertificate => Row::of("renew_certificate", Who::Public, &[
        post("/api/v1/certificates"), post("/api/v1/certificates/confirm"),
    ]);
    /// Revoke a device, at once.
    RevokeDevice => Row::of("revoke_device", signing_or_console(WORKSHOPS, ENROLLERS), &[
        post("/api/v1/devices/{number}/revoke"), command("admin device revoke"),
    ]).limit(Limit::Pin).logged("signed on, or why not");
    /// Let a device serve again that was left.
    ReturnDevice => Row::of("return_device", signing_or_console(WORKSHOPS, ENROLLERS), &[
        post("/api/v1/devices/{number}/return"), command("admin device return"),
    ]).second(KEY_HOLDERS).limit(Limit::Pin).logged("signed on, or why not");

    // The wall.
    /// Say how a device is.
    ReportDevice => Row::of("report_device", device(EVERY), &[post("/api/v1/terminals/report")]);
    /// Say who follows the log.
    BeginFollowing => Row::of("begin_following", person(WALLS, SUPERVISORS), &[
        post("/api/v1/follower/begin"),
    ]).second(BESIDE_THE_COUNTER).limit(Limit::Pin);
    /// Open the payouts of a draw that waits for the second computation.
    OpenPayouts => Row::of("open_payouts", person(WALLS, SUPERVISORS), &[
        post("/api/v1/follower/payouts"),
    ]).second(BESIDE_THE_COUNTER).limit(Limit::Pin);
    /// Stop a terminal, or let it sell again.
    StopTerminal => Row::of("stop_terminal", person(WALLS, SUPERVISORS), &[
        post("/api/v1/terminals/{number}/stop"), post("/api/v1/terminals/{number}/start"),
    ]);
    /// See every terminal, till and doubt.
    SeeWall => Row::of("see_wall", person(WALLS, SUPERVISORS), &[get("/api/v1/wall")]);
    /// See the alarms.
    SeeAlarms => Row::of("see_alarms", people(WALLS, SUPERVISORS, &[(WORKSHOPS, &[Technician])]), &[
        get("/api/v1/alarms"),
    ]);
    /// Ask for an approval, and what became of it.
    AskApproval => Row::of("ask_approval", people(TILLS, TELLERS, &[(OFFICES, LIMITERS)]), &[
        post("/api/v1/approvals"), get("/api/v1/approvals/{id}"),
    ]).own(Own::Session).limit(Limit::Number);
    /// See and answer approvals.
    AnswerApproval => Row::of("answer_approval", person(WALLS, SUPERVISORS), &[
        get("/api/v1/approvals"), post("/api/v1/approvals/{id}/grant"),
        post("/api/v1/approvals/{id}/refuse"),
    ]).limit(Limit::Pin).logged("granted or refused");
    /// Send a message to the counters.
    SendMessage => Row::of("send_message", person(WALLS, SUPERVISORS), &[post("/api/v1/messages")]);
    /// Say that a message was read.
    AcknowledgeMessage => Row::of("acknowledge_message", person(TILLS, TELLERS), &[
        post("/api/v1/messages/{id}/acknowledge"),
    ]);

    // What is public.
    /// Read the pages of the house.
    ReadPages => Row::of("read_pages", Who::Public, &[
        page("/"), page("/board"), page("/check"), page("/draws"), page("/draws/{number}"), page("/draws/{number}/transcript.json"),
        page("/draws/{number}/certificate.pdf"), page("/prizes"), page("/assets/{name}"),
    ]);
    /// Ask at the page what a ticket is worth.
    CheckAtPage => Row::of("check_at_page", Who::Public, &[form("/check")])
        .limit(Limit::Number).logged("a keyed hash of the number");
    /// Read the public log, live events, and what describes the interface.
    ReadLog => Row::of("read_log", Who::Public, &[
        get("/log/checkpoint"), get("/log/cosigned"), get("/log/tile/{tile:.*}"), get("/log/entries/{index}"),
        get("/log/epochs"), get("/log/inclusion/{index}"), get("/log/consistency"),
        get("/live"), get("/healthz"), get("/openapi.json"), get("/problems/{name}"),
    ]);
    /// Hand in a checkpoint with the cosignature of a witness that the house names.
    TakeCosignature => Row::of("take_cosignature", Who::Public, &[post("/log/cosigned")]);
    /// Read the figures of the house.
    ReadMetrics => Row::of("read_metrics", Who::House, &[get("/metrics")]);

    // Central's own machine.
    /// Make the first two administrators of a house.
    FirstAdministrators => Row::of("first_administrators", Who::Host, &[command("admin first")]);
    /// Make another administrator, by one who is left and the recovery code of the house.
    RecoverAdministrator => Row::of("recover_administrator", console(ADMINISTRATORS), &[
        command("admin recover"),
    ]).limit(Limit::Pin).logged("command and recovery: right, or why not");
    /// Make another recovery code.
    RenewRecoveryCode => Row::of("renew_recovery_code", console(ADMINISTRATORS), &[
        command("admin recovery-code"),
    ]).second(Second::OneOf(ADMINISTRATORS)).limit(Limit::Pin);
    /// Record a device by its key, on a house without TLS.
    RecordDevice => Row::of("record_device", console(ENROLLERS), &[command("admin device add")])
        .second(KEY_HOLDERS).limit(Limit::Pin);
    /// Take steps of a draw, of the schedule and of sales on a house that does not run.
    DecideAtConsole => Row::of("decide_at_console", console(LIMITERS), &[
        command("draw void"), command("draw suspend"), command("draw resume"),
        command("schedule confirm"), command("sales stop"), command("sales resume"),
    ]).second(Second::OneOf(LIMITERS)).limit(Limit::Pin);
    /// Publish a rule book on a house that does not run.
    PublishAtConsole => Row::of("publish_at_console", console(ADMINISTRATORS), &[
        command("rules publish"),
    ]).second(Second::OneOf(ADMINISTRATORS)).limit(Limit::Pin);
    /// Restore the record from a backup.
    Restore => Row::of("restore", console(RESTORERS), &[command("restore")])
        .second(Second::OneOf(RESTORERS)).limit(Limit::Pin);
    /// Run, make, judge and copy a house: whoever has the account of central's machine.
    Maintain => Row::of("maintain", Who::Host, &[
        command("serve"), command("demo"), command("init"), command("migrate"),
        command("export"), command("verify"), command("rebuild"), command("backup"),
        command("backup-keys"), command("check-backup"), command("report draw"),
        command("report shift"), command("report numbers"), command("report ticket"), command("slips"),
        command("rules check"), command("attest"), command("staff"), command("hosts"),
    ]);
}
