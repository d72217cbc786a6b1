//! A printer on a wire that fails in every way it can: the job ends with a name, and it is
//! never "printed" unless the printer said so.
#![allow(clippy::unwrap_used)]

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::time::Duration;

use keno_slip::Width;
use keno_terminal::printer::{
    Confirmation, Driver, Job, JobId, PrintFailure, PrinterFault, Timing, print_job,
};
use keno_terminal::virtual_printer::server::{Options, Running, start};
use keno_terminal::virtual_printer::{Fault, decode};

const ANY: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// Long enough for a busy machine where an answer comes.
const PATIENT: Timing = Timing {
    connect: Duration::from_secs(20),
    status: Duration::from_secs(20),
    confirmation: Duration::from_secs(20),
    millimetres_per_second: 60,
};

struct Printer {
    running: Running,
    _folder: tempfile::TempDir,
}

fn printer(fault: Option<Fault>) -> Printer {
    let folder = tempfile::tempdir().unwrap();
    let running = start(&Options {
        print: ANY,
        web: ANY,
        folder: folder.path().to_owned(),
        fault,
        dots: 576,
    })
    .unwrap();
    Printer {
        running,
        _folder: folder,
    }
}

fn ticket_bytes() -> (Vec<u8>, JobId) {
    let id = JobId::from_number(46_655);
    (
        crate::support::bytes(&crate::support::paper("full", Width::Wide)),
        id,
    )
}

fn print_bytes(
    driver: &Driver,
    bytes: &[u8],
    id: JobId,
    timing: Timing,
) -> Result<Confirmation, PrintFailure> {
    let job = Job {
        bytes: bytes.to_vec(),
        id,
        millimetres: 0,
    };
    print_job(driver, &job, timing)
}

fn print(printer: &Printer, timing: Timing) -> Result<Confirmation, PrintFailure> {
    let (bytes, id) = ticket_bytes();
    print_bytes(&Driver::Network(printer.running.print), &bytes, id, timing)
}

#[test]
fn a_good_printer_confirms_and_keeps_the_paper_across_a_restart() {
    let printer = printer(None);
    assert_eq!(print(&printer, PATIENT), Ok(Confirmation::Printer));
    assert_eq!(print(&printer, PATIENT), Ok(Confirmation::Printer));
    let folder = &printer.running.folder;
    assert_eq!(folder.papers().unwrap(), [2, 1]);
    let kept = std::fs::read(folder.file(1, "escpos")).unwrap();
    assert_eq!(
        kept.len(),
        ticket_bytes().0.len() - 11,
        "all but the question after the cut"
    );
    assert_eq!(decode(&kept, 576).unwrap().len(), 1);

    let again = start(&Options {
        print: ANY,
        web: ANY,
        folder: printer._folder.path().to_owned(),
        fault: None,
        dots: 576,
    })
    .unwrap();
    assert_eq!(again.folder.papers().unwrap(), [2, 1]);
    let (bytes, id) = ticket_bytes();
    assert_eq!(
        print_bytes(&Driver::Network(again.print), &bytes, id, PATIENT),
        Ok(Confirmation::Printer)
    );
    assert_eq!(again.folder.papers().unwrap(), [3, 2, 1]);
}

#[test]
fn troubles_that_the_printer_names_stop_the_job_before_its_first_byte() {
    for (fault, name) in [
        (Fault::OutOfPaper, PrinterFault::OutOfPaper),
        (Fault::CoverOpen, PrinterFault::CoverOpen),
    ] {
        let printer = printer(Some(fault));
        let failure = print(&printer, PATIENT).unwrap_err();
        assert_eq!((failure.fault, failure.sent), (name, 0));
        assert_eq!(printer.running.folder.papers().unwrap(), Vec::<u64>::new());
    }
}

#[test]
fn nobody_at_the_address_is_absent() {
    let listener = TcpListener::bind(ANY).unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let (bytes, id) = ticket_bytes();
    let failure = print_bytes(&Driver::Network(address), &bytes, id, PATIENT).unwrap_err();
    assert_eq!((failure.fault, failure.sent), (PrinterFault::Absent, 0));
}

#[test]
fn a_printer_that_says_nothing_is_unknown_and_not_printed() {
    let printer = printer(Some(Fault::Silent));
    let short = Timing {
        status: Duration::from_millis(5),
        confirmation: Duration::from_millis(5),
        ..PATIENT
    };
    assert_eq!(print(&printer, short), Ok(Confirmation::Unknown));
}

#[test]
fn a_file_takes_every_byte_and_answers_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("printer");
    let (bytes, id) = ticket_bytes();
    assert_eq!(
        print_bytes(&Driver::File(path.clone()), &bytes, id, PATIENT),
        Ok(Confirmation::Unknown)
    );
    let written = std::fs::read(&path).unwrap();
    assert!(written.ends_with(&bytes));
}

#[test]
fn a_printer_that_dies_at_every_eighth_byte_never_printed() {
    let (bytes, _) = ticket_bytes();
    for limit in (0..bytes.len()).step_by(8).chain([bytes.len() - 1]) {
        let printer = printer(Some(Fault::DieAfter(limit)));
        let failure = print(&printer, PATIENT).unwrap_err();
        assert_eq!(
            failure.fault,
            PrinterFault::DiedMidTicket,
            "at byte {limit}"
        );
        assert!(
            failure.sent > 0 && failure.total == bytes.len(),
            "at byte {limit}"
        );
    }
    // The byte after the last one: now it had printed, and said so.
    let printer = printer(Some(Fault::DieAfter(bytes.len() + 1)));
    assert_eq!(print(&printer, PATIENT), Ok(Confirmation::Printer));
}

#[test]
fn other_machines_may_not_look() {
    let folder = tempfile::tempdir().unwrap();
    let everyone: SocketAddr = "0.0.0.0:0".parse().unwrap();
    for (print, web) in [(everyone, ANY), (ANY, everyone)] {
        let options = Options {
            print,
            web,
            folder: folder.path().to_owned(),
            fault: None,
            dots: 576,
        };
        assert!(start(&options).is_err());
    }
}
