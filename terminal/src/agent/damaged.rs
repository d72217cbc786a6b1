//! Papers whose code cannot be read (s. 83): read by two people, or kept with a file.
//!
//! None of them carries a key: given again after a lost answer, the same reading or the same file
//! is answered as the first time.

use keno_slip::{Issue, Paper, file_answer, file_receipt};
use keno_wire::damaged::{
    FileView, JudgeFileRequest, OpenFileRequest, ReadingReply, ReadingRequest,
};
use keno_words::agent as words;

use super::Agent;
use super::done::Fact;
use super::session::ASK_AGAIN;
use crate::exit::{Exit, Stop};

impl Agent<'_> {
    /// Says what stands on a paper but its code, with a second person who looks at it. What agrees
    /// is then paid on the code that central gives in the place of the paper's.
    pub fn read_damaged(&mut self, mut request: ReadingRequest) -> Result<Exit, Stop> {
        request.second = self.second_person(request.second)?;
        let reply: ReadingReply =
            self.command_without_key("/damaged/readings", &request, ASK_AGAIN)?;
        self.told.tell(&words::ReadingAgrees);
        self.so_far.fact = Some(Fact::PaperRead { code: reply.code });
        Ok(Exit::Done)
    }

    /// Keeps a paper, opens its file, and prints the receipt of whoever presents it.
    pub fn open_file(&mut self, request: OpenFileRequest) -> Result<Exit, Stop> {
        let file: FileView = self.command_without_key("/damaged/files", &request, ASK_AGAIN)?;
        self.told.tell(&words::FileOpened {
            answer_by: &file.answer_by,
            code: &file.code,
        });
        let paper = file_receipt(&file, Issue::First, self.width);
        self.so_far.fact = Some(Fact::File(Box::new(file)));
        self.print_of_file(&paper)
    }

    /// Decides about a file, with a second person and from an amount on a third, and prints the
    /// answer.
    pub fn judge_file(&mut self, number: u64, request: &JudgeFileRequest) -> Result<Exit, Stop> {
        let path = format!("/damaged/files/{number}/judgement");
        let file: FileView = self.command_without_key(&path, request, ASK_AGAIN)?;
        let Some(judgement) = file.judgement.clone() else {
            return Ok(Exit::Failed);
        };
        match judgement.is_paid {
            true => self.told.tell(&words::FileAccepted { code: &file.code }),
            false => self.told.tell(&words::FileRefused { code: &file.code }),
        }
        let paper = file_answer(&file, &judgement, Issue::First, self.width);
        self.so_far.fact = Some(Fact::File(Box::new(file)));
        self.print_of_file(&paper)
    }

    /// Prints the receipt or the answer of a file again.
    pub fn print_file_again(&mut self, file: FileView) -> Result<Exit, Stop> {
        let paper = match &file.judgement {
            None => file_receipt(&file, Issue::Reprint, self.width),
            Some(judgement) => file_answer(&file, judgement, Issue::Reprint, self.width),
        };
        self.print_of_file(&paper)
    }

    fn print_of_file(&mut self, paper: &Paper) -> Result<Exit, Stop> {
        if self.print_report(paper)? {
            return Ok(Exit::Done);
        }
        self.told.note(&words::FileRecorded);
        Ok(Exit::PrinterTrouble)
    }
}
