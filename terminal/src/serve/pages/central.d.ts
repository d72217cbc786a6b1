// Made from the document of central's addresses by `api_document` of keno-central: what the
// pages here are told that is central's.

/** Who has read a message, where and when. */
export type AcknowledgementView = {
  /** When, UTC milliseconds. */ at_ms: number;
  /** Badge. */ badge: string;
  /** Device number. */ device: number;
  /** The same in the house's zone, `yyyy-mm-dd HH:MM:SS`. */ local: string;
  /** Its name. */ name: string;
};

/** A change as it waits for a second person. */
export type ApprovalAmendment = {
  /** What is another than before. */ differences: RuleDifference[];
  /** First draw. */ effective: EffectiveDraw;
  /** What becomes of slips and cards. */ slips: SlipsFate;
  /** The version that it would be. */ version: number;
};

export type ApprovalRule = "payout_limit" | "cancel_limit" | "patron_refused" | "always_by_two";

export type ApprovalState = "waiting" | "granted" | "refused" | "used" | "expired";

/** The ticket that an approval is about. */
export type ApprovalTicket = {
  /** First draw. */ first_draw: number;
  /** Last draw. */ last_draw: number;
  /** Control number, masked. */ number: string;
  /** Leaf of the ticket. */ ticket: number;
  /** What was wagered, in cents. */ total_cents: number;
};

/** An approval as supervisors, and whoever asked for it, see it. */
export type ApprovalView = {
  /** Milliseconds since it was asked. */ age_ms: number;
  amendment?: ApprovalAmendment;
  /** Prize, refund or cash in cents, where it is about an amount. */ amount_cents?: number;
  /** Badge of who granted or refused it. */ answered_by?: string;
  /** Badge of who asks. */ by: string;
  /** Device at which. */ device: number;
  /** Its number. */ id: number;
  kind?: TillMovementKind;
  /** Its name. */ name: string;
  /** Reason or evidence that the command carries, and the word of who asks. */ reason: string;
  /** Why it was refused. */ refusal?: string;
  /** The rule that asks for two people. */ rule: ApprovalRule;
  /** How it stands. */ state: ApprovalState;
  ticket?: ApprovalTicket;
  /** What is to be approved. */ what: Approved;
};

export type Approved = "payment" | "cancellation" | "till_movement" | "till_count" | "duplicate" | "unpaid" | "release" | "reversal" | "lost_refund" | "take_over" | "rules_amendment";

/** A set of balls in the register. */
export type BallSetView = {
  /** Balls. */ balls: number;
  /** Official draws with it, ever. */ draws: number;
  fault?: SetFault;
  /** The same in the house's zone. */ good_until_local: string;
  /** Good until then. */ good_until_ms: number;
  /** Mass of the heaviest. */ heaviest_mg: number;
  /** Scale and gauge, in words. */ instruments: string;
  /** Mass of the lightest, in milligrams. */ lightest_mg: number;
  /** The same in the house's zone, `yyyy-mm-dd HH:MM`. */ measured_at_local: string;
  /** When it was measured. */ measured_at_ms: number;
  /** Good for so many. */ most_draws: number;
  /** Name. */ name: string;
  /** How uneven its numbers are: X² times 79/60 in tenths; 79.0 is expected. */ spread_tenths: number;
  /** Draws that were started with it since. */ starts: number;
  /** Numbers that came up so often or so rarely that it is no chance. */ uneven: number[];
};

/** A sentence in both languages of the house. */
export type Bilingual = {
  /** English. */ en: string;
  /** French. */ fr: string;
};

/** How much cash a till holds, roughly: whoever looks may be the one who counts it. */
export type CashBand = "low" | "usual" | "high";

/** The key of a command that moves money: made and synced by the device before it is sent. The device is known from its own credential. */
export type CommandKey = {
  /** Counter of the device within the session. */ counter: number;
  /** Session number, given by central at sign-on. */ session: number;
};

export type CommandKind = "sale" | "cancellation" | "payment" | "till_movement" | "lost_refund";

/** A commitment and, once revealed, its secret. */
export type CommitmentView = {
  /** 64 hexadecimal digits. */ commitment: string;
  /** Name of the holder. */ holder: string;
  /** Secret, 64 hexadecimal digits, once revealed. */ secret?: string;
};

/** A draw at the desk. */
export type DeskDraw = {
  /** The draw, with the balls that count. */ draw: DrawView;
  /** What whoever asks has entered, in order; 0 where a ball is asked for once more. */ entered: number[];
  /** The two who enter, in the order in which they began. */ enterers: EntererView[];
  line?: LineView;
  /** The ball that is theirs to enter next; absent when there is none. */ next?: number;
  /** What may be done by one person, or decided by two. */ offered: DrawDecision[];
  /** Whoever asks sold for it: others enter its balls and decide. */ sold: boolean;
  waiting?: WaitingView;
};

export type DeviceRole = "counter" | "kiosk" | "display" | "audit" | "desk" | "office" | "cage";

export type DrawDecision = "certify" | "resume" | "complete" | "void" | "void_unfinished" | "stand_in" | "replace" | "postpone" | "suspend";

export type DrawSource = "computer" | "balls";

export type DrawState = "scheduled" | "open" | "closed" | "drawing" | "drawn" | "official" | "settled" | "suspended" | "void";

/** When a draw is planned. */
export type DrawTime = {
  /** Draw number. */ draw: number;
  /** Planned moment of its first number. */ draws_at_ms: number;
  /** The same in the house's zone, `yyyy-mm-dd HH:MM`. */ local: string;
  /** `HAE`/`HNE` (EDT/EST) when the hour repeats that night, else empty. */ zone_mark: string;
};

/** A draw as anyone may see it. */
export type DrawView = {
  /** The set of balls, where balls are drawn and the house has a register of sets. */ ball_set?: string;
  /** Winning numbers in order, as many as have been shown. */ balls: number[];
  /** Maximum payable in prizes. */ cap_cents: number;
  /** When sales close, UTC milliseconds. */ closes_at_ms: number;
  /** Holders and commitments, in the order of the derivation. */ commitments: CommitmentView[];
  /** Number and time. */ draw: DrawTime;
  /** Numbers that the draw has. */ drawn: number;
  /** Leaf that closed the draw and others, by kind name. */ leaves: LeafRef[];
  /** Pool size. */ pool: number;
  seal?: SealView;
  settlement?: SettlementView;
  /** What draws its numbers. */ source: DrawSource;
  /** How far it is. */ state: DrawState;
};

/** A draw from which rules hold. */
export type EffectiveDraw = {
  /** Its number. */ draw: number;
  /** When it is drawn, in the house's zone, `yyyy-mm-dd HH:MM`; absent before it is announced. */ local?: string;
};

/** Somebody who enters balls, as the other sees it. */
export type EntererView = {
  /** Badge. */ badge: string;
  /** How many balls they have entered, of those that are not asked again. */ entered: number;
};

export type EventKind = "HouseOpened" | "RuleBookPublished" | "PersonRecorded" | "DeviceRecorded" | "SessionOpened" | "SessionEnded" | "ShiftOpened" | "ShiftClosed" | "TillMoved" | "LeaseTaken" | "ScheduleHalted" | "ScheduleConfirmed" | "SalesSuspended" | "SalesResumed" | "EpochOpened" | "DeviceHandedOver" | "TillCounted" | "ActingNamed" | "ActingMade" | "DrawScheduled" | "CommitmentRecorded" | "DrawOpened" | "DrawClosed" | "DrawStarted" | "BallsRecorded" | "DrawCertified" | "SecretsRevealed" | "DrawSettled" | "DrawSuspended" | "DrawResumed" | "DrawVoided" | "BallEntered" | "BallDrawn" | "EntererReplaced" | "TubesAttested" | "ComputerStoodIn" | "HostsNamed" | "HostsSigned" | "DrawPostponed" | "TicketSold" | "TicketCancelled" | "TicketUnpaid" | "PrintConfirmed" | "TicketReleased" | "TicketDuplicated" | "ClaimPresented" | "PrizePaid" | "PaymentReversed" | "DiscrepancyNoted" | "KeyClosed" | "PaymentHeld" | "LostTicketRefunded" | "PatronRefused" | "DamagedTicketRead" | "FileOpened" | "FileJudged" | "TicketRemarked" | "BallSetMeasured" | "BallSetsOffered" | "DrawRoomOpened" | "DrawRoomEnded" | "IncidentLogged" | "FollowerBegan" | "DrawFollowed" | "PayoutsOpened" | "BallRead" | "LineIncident";

export type FileRefusal = "not_one_ticket" | "not_genuine" | "no_prize" | "withdrawn_or_paid" | "late" | "other";

/** A file: what its receipt says. Neither a ticket nor an amount is in it. */
export type FileView = {
  /** The day by which whoever presented it is answered, yyyy-mm-dd. */ answer_by: string;
  /** Badge of the clerk. */ badge: string;
  /** Its number as a reference; in the reply to its opening, for the receipt, with the secret that stands for the code of its ticket once it is to be paid. */ code: string;
  /** Where to complain. */ complaints: Bilingual;
  /** How many digits of the control number are legible. */ digits: number;
  /** Name of the house. */ house_name: string;
  /** True from then on. */ is_ready: boolean;
  /** From when on it can be judged, in the house's zone. */ judged_from_local: string;
  judgement?: JudgementView;
  /** What was seen of the paper. */ note: string;
  /** Number of the file. */ number: number;
  /** When, in the house's zone: the moment that counts for the deadline. */ opened_at_local: string;
  /** Who presented it, as told. */ presented_by: string;
  /** What else is legible. */ reading: PaperReading;
  /** Name of the terminal. */ terminal: string;
};

export type FollowerStanding = "at_work" | "not_heard" | "away" | "refuses" | "not_on_record";

/** The follower of the log, which computes each finished draw a second time. */
export type FollowerView = {
  /** How it began its copy, in lower-case hexadecimal, where two people are to say that it is who follows. */ began?: string;
  /** Entries of the log that it does not have yet. */ behind: number;
  /** Name of its host. */ name: string;
  /** Why it goes on with nothing: the name of its refusal, and its words in English. */ refuses?: string;
  /** Milliseconds since it last answered, or since central was started. */ silent_ms: number;
  /** How it stands. */ standing: FollowerStanding;
};

/** A ticket that is held: it stays in its draws, and is not paid until people have looked. */
export type HeldView = {
  /** Until when people decide about an improbable win, `yyyy-mm-dd HH:MM`. */ decided_by_local?: string;
  /** Device that sold it. */ device: number;
  /** First draw. */ first_draw: number;
  /** That is over. */ is_late: boolean;
  /** Last draw. */ last_draw: number;
  /** Its name. */ name: string;
  /** Control number, masked. */ number: string;
  /** Leaf of the ticket. */ ticket: number;
  /** Price in cents; absent where the record of it does not hold. */ total_cents?: number;
  /** Why it is held. */ why: WhyHeld;
};

/** A command in doubt, with both sides. */
export type InDoubtView = {
  /** Device that tells. */ device: number;
  /** Its name. */ name: string;
  /** What the record says of the key. */ record: RecordEvidence;
  /** What it says. */ terminal: OpenReport;
};

/** A decision about a file. */
export type JudgementView = {
  /** When, in the house's zone. */ at_local: string;
  /** Badge of the first person. */ by: string;
  /** True if the ticket is paid. */ is_paid: boolean;
  /** What was seen. */ note: string;
  /** The stable name of why not. */ refused?: FileRefusal;
  /** Badge of the second person. */ second: string;
  /** Badge of the third person. */ third?: string;
  words?: Bilingual;
};

export type KeyEvidence = "unknown" | "recorded" | "closed";

/** What a terminal sold last. */
export type LastSale = {
  /** When, UTC milliseconds. */ at_ms: number;
  /** The same in the house's zone, `yyyy-mm-dd HH:MM:SS`. */ local: string;
  /** Its price in cents. */ total_cents: number;
};

/** A leaf of the log by kind. */
export type LeafRef = {
  /** When, UTC milliseconds. */ at_ms: number;
  /** Kind name. */ kind: EventKind;
  /** Leaf index. */ leaf: number;
};

export type LineStandingName = "reads" | "whole" | "silent" | "stalled" | "away" | "stopped";

/** The machine that reads the balls of a draw by itself. */
export type LineView = {
  /** The machine, as the house calls it. */ machine: string;
  /** What else was wrong on its line. */ noticed: Bilingual[];
  /** How it stands. */ standing: LineStandingName;
  why?: Bilingual;
};

/** A message as the wall shows it. */
export type MessageView = {
  /** Who has read it. */ acknowledged: AcknowledgementView[];
  /** When, UTC milliseconds. */ at_ms: number;
  /** Badge of who sent it. */ by: string;
  /** Device that it is for; every counter when absent. */ device?: number;
  /** In English. */ en: string;
  /** In French. */ fr: string;
  /** Its number. */ id: number;
  /** The same in the house's zone, `yyyy-mm-dd HH:MM:SS`. */ local: string;
  /** Devices that somebody is signed on at and where nobody has read it. */ waiting: number[];
};

/** A command of a terminal for which something is left to do. */
export type OpenReport = {
  /** The device that sent it, when that one was handed over to the one that tells. */ device?: number;
  /** Its key. */ key: CommandKey;
  /** What kind of command it is. */ kind: CommandKind;
  money?: ParkedMoney;
  /** For so long the terminal has seen it open, in milliseconds. */ since_ms: number;
  /** What it waits for. */ stage: Stage;
  /** Price, refund or prize in cents, as the terminal has it. */ total_cents: number;
};

/** What is legible on a paper beside its control number; what is not is absent. */
export type PaperReading = {
  /** First draw. */ first_draw?: number;
  /** Last draw. */ last_draw?: number;
  /** All numbers of one selection, kings too; none if none is legible. */ numbers?: number[];
  /** Name of the terminal that sold it, as printed. */ terminal?: string;
  /** Price of the ticket, in cents. */ total_cents?: number;
};

export type ParkedMoney = "kept" | "given_back";

/** A badge that stands. */
export type PersonView = {
  /** They are an acting supervisor now. */ acts: boolean;
  /** Badge. */ badge: string;
  /** A card of the badge counts. */ has_card: boolean;
  /** Too many wrong PINs keep the badge out wherever it never succeeded. */ is_locked: boolean;
  /** Two administrators named them as one who may be made an acting supervisor. */ may_act: boolean;
  /** The PIN was set by others, and is good for choosing another only. */ must_change: boolean;
  /** Name shown to colleagues; may be empty. */ name: string;
  /** Names of the roles on record. */ roles: Role[];
  /** Staff number: two badges with the same are one human. */ staff: string;
};

/** The printer of a terminal as it last said of itself. */
export type PrinterReport = {
  /** The roll is near its end. */ near_end: boolean;
  /** `ready`, `silent`, or the name of a trouble. */ state: string;
};

/** What the record says of a key. */
export type RecordEvidence = {
  /** Leaf of what was recorded; of a sale, its ticket. */ leaf?: number;
  /** Whether its paper was confirmed, of a sale. */ print_confirmed?: boolean;
  reference?: TicketReference;
  /** What the record says of it. */ state: KeyEvidence;
  /** Price in cents, of a sale. */ total_cents?: number;
};

export type Role = "clerk" | "supervisor" | "cage" | "marker" | "verifier" | "auditor" | "technician" | "administrator";

/** What waits for a second person. */
export type RoomAskedView = {
  /** Badge of who asked. */ by: string;
  draw?: DrawTime;
  /** Whether whoever asks for this page asked for it. */ is_own: boolean;
  /** Mass of each of its balls in milligrams, from ball 1. */ masses_mg?: number[];
  /** Whether the second person may be whoever asks. */ may_agree: boolean;
  /** Its number, by which it is agreed to. */ number: number;
  /** Whether every ball passes the gauge. */ passed?: boolean;
  /** Scale and gauge, the reason, or where the film shows the tubes. */ said: string;
  /** The set that is measured. */ set?: string;
  /** The sets that chance would choose from now. */ sets: string[];
  /** What was asked. */ step: RoomStepName;
};

export type RoomStepName = "measure" | "choose" | "open" | "hand_over" | "end";

/** One value that is another than before. */
export type RuleDifference = {
  game?: Bilingual;
  new?: RuleValue;
  old?: RuleValue;
  /** The key as the rule book names it, such as `counter.express[2]` or `game[0].wager.max`. */ place: string;
};

/** A value that can be changed. */
export type RuleValue = {
  /** In cents. */ cents: number;
  kind: "money";
} | {
  kind: "number";
  /** The number. */ number: number;
} | {
  /** Code of the game. */ game: string;
  kind: "pick";
  name?: Bilingual;
  /** How many numbers. */ spots: number;
  /** The wager per draw, in cents. */ wager_cents: number;
};

/** The seal of a draw. */
export type SealView = {
  /** Root, 64 hexadecimal digits. */ root: string;
  /** Leaves in the tree. */ size: number;
  /** Tickets that take part. */ tickets: number;
};

export type SetFault = "unfit" | "used_up" | "outdated" | "aside";

/** What a settled draw came to. */
export type SettlementView = {
  /** What rounding left. */ breakage_cents: number;
  /** Prizes before the cap, in cents. */ computed_cents: number;
  /** Factor of large prizes, `numerator/denominator`. */ large_factor: string;
  /** Prizes payable, in cents. */ payable_cents: number;
  /** Root of the prize list. */ prize_root: string;
  /** Factor of small prizes. */ small_factor: string;
  /** Tickets with a prize. */ winners: number;
};

/** What becomes of selection slips and express cards, by the names under which they are printed. */
export type SlipsFate = {
  /** To be printed anew: withdrawn, or not what the counter's key gives any more. */ print: string[];
  /** No longer taken from the first draw of the new version on. */ withdrawn: string[];
};

export type Stage = "asking" | "parked" | "to_tell" | "to_print" | "paper_in_doubt" | "torn" | "to_withdraw" | "to_report" | "to_hand_over" | "no_paper" | "referred" | "done";

/** Who has stopped a terminal, when and why. */
export type StoppedView = {
  /** When, UTC milliseconds. */ at_ms: number;
  /** Badge. */ by: string;
  /** The same in the house's zone, `yyyy-mm-dd HH:MM:SS`. */ local: string;
  /** Why. */ reason: string;
};

export type TerminalStanding = "active" | "revoked" | "left";

/** Whether a terminal was heard. */
export type TerminalState = "online" | "locked" | "silent" | "never_heard";

/** A ticket named by reference, to people who do not hold it: nothing is paid with that. */
export type TicketReference = {
  /** Control number, masked. */ number: string;
  /** When, in the house's zone, `yyyy-mm-dd HH:MM:SS`. */ sold_at_local: string;
  /** Name of the terminal that sold it. */ terminal: string;
  /** Leaf index: the ticket's number in the record. */ ticket: number;
};

/** Which way cash goes at a till. */
export type TillMovementKind = "fill" | "drop";

export type TubesFinding = "in_tubes" | "emptied" | "fell" | "person_missing" | "unfinished";

/** A finished draw that waits for the second computation. */
export type UnfollowedView = {
  /** What the second computation found wrong first, by the name of `RULES.md`: nothing of the draw is paid. */ differs?: string;
  /** The draw. */ draw: number;
  /** The entry of the log in which that is. */ entry?: number;
  /** Payments that need a second person wait for it. */ holds_large: boolean;
  /** They may now. */ may_be_opened: boolean;
  /** From when on two people may open its payouts, `yyyy-mm-dd HH:MM`; no time opens what differs. */ opens_local?: string;
  /** Since when, `yyyy-mm-dd HH:MM`. */ since_local: string;
};

/** A decision that waits for a second person. */
export type WaitingView = {
  /** Badge of who decided first. */ by: string;
  /** What was decided. */ decision: DrawDecision;
  finding?: TubesFinding;
  /** Whose place is taken. */ leaving?: string;
  /** Whether the second person may be whoever asks. */ may_agree: boolean;
  /** Minutes by which it is held later. */ minutes?: number;
  /** Its number, by which it is agreed to. */ number: number;
  /** Why, in words. */ reason: string;
};

/** One terminal on the wall. */
export type WallRow = {
  /** Badge of who is signed on. */ badge?: string;
  cash?: CashBand;
  /** Device number. */ device: number;
  /** Commands in doubt or left to do there. */ in_doubt: number;
  last_sale?: LastSale;
  /** Its name. */ name: string;
  printer?: PrinterReport;
  /** `counter`, `kiosk`, `display` or `audit`. */ role: DeviceRole;
  /** Shift number of its open till. */ shift?: number;
  /** Milliseconds since it was heard. */ silent_ms?: number;
  /** The same in the house's zone, `yyyy-mm-dd HH:MM:SS`. */ since_local?: string;
  /** Since when, UTC milliseconds. */ since_ms?: number;
  /** Whether it counts. */ standing: TerminalStanding;
  /** Whether it was heard. */ state: TerminalState;
  stopped?: StoppedView;
  /** Version of its program. */ version?: string;
};

export type WhyHeld = "unconfirmed" | "improbable" | "replaced" | "doubtful";
