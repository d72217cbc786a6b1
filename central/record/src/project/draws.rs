//! Rows of draws.

use diesel::QueryResult;
use keno_game::{DrawSource, DrawState};
use keno_log::event::{
    BallsRecorded, CommitmentRecorded, DrawCertified, DrawClosed, DrawScheduled, DrawSettled,
    DrawStarted, DrawVoided, SecretsRevealed,
};
use keno_schema::rows::{DrawHolderRow, DrawResultRow, DrawRow, DrawSettlementRow};

use super::Projection;
use crate::fault::Fault;
use crate::store::{Insert, draws};

impl Projection<'_> {
    pub(super) fn draw_scheduled(&mut self, body: &DrawScheduled) -> QueryResult<()> {
        let row = DrawRow {
            number: body.draw,
            state: self.state_of(body.draw, DrawState::Scheduled).code(),
            closes_at_ms: body.closes_at_ms,
            draws_at_ms: body.draws_at_ms,
            source: body.source,
            pool_size: body.pool_size,
            drawn: body.drawn,
            cap_cents: body.cap_cents,
            full_below_cents: body.full_below_cents,
            scheduled_leaf: self.leaf,
            opened_leaf: None,
            closed_leaf: None,
            seal_root: None,
            tickets: 0,
            selections: 0,
            wagered_cents: 0,
            started_leaf: None,
            voided_leaf: None,
            void_reason: None,
            ball_set: None,
        };
        row.insert(self.connection)?;
        let holders = body.holders.iter().zip(0_u8..);
        let rows: Vec<DrawHolderRow> = holders
            .map(|(holder, position)| DrawHolderRow {
                draw: row.number,
                position,
                holder: holder.clone(),
                commitment: None,
                commitment_leaf: None,
                secret: None,
            })
            .collect();
        if !rows.is_empty() {
            draws::insert_holders(self.connection, &rows)?;
        }
        Ok(())
    }

    /// The state that a draw is in by now, or `left` of one that left memory with this event.
    pub(super) fn state_of(&self, draw: u64, left: DrawState) -> DrawState {
        let known = self.state.draws.get(&draw);
        known.map_or(left, |draw| draw.state)
    }

    pub(super) fn set_draw(&mut self, draw: u64, state: DrawState) -> QueryResult<()> {
        let state = self.state_of(draw, state);
        draws::set_state(self.connection, draw, state)
    }

    pub(super) fn computer_stood_in(&mut self, draw: u64) -> QueryResult<()> {
        self.set_draw(draw, DrawState::Closed)?;
        draws::set_source(self.connection, draw, DrawSource::Computer.number())
    }

    pub(super) fn committed(&mut self, body: &CommitmentRecorded) -> QueryResult<()> {
        let holder = (body.draw, body.position);
        draws::set_commitment(self.connection, holder, &body.commitment, self.leaf)
    }

    pub(super) fn draw_closed(&mut self, body: &DrawClosed) -> Result<(), Fault> {
        let draw = self.state.draws.get(&body.draw);
        let seal = draw
            .and_then(|draw| draw.seal)
            .ok_or_else(|| Fault::Record(format!("draw {} closed without a seal", body.draw)))?;
        let now = (self.state_of(body.draw, DrawState::Closed), self.leaf);
        draws::close(self.connection, body, now, &seal.root)?;
        Ok(())
    }

    pub(super) fn draw_started(&mut self, body: &DrawStarted) -> QueryResult<()> {
        let state = self.state_of(body.draw, DrawState::Drawing);
        let live = self.state.draws.get(&body.draw);
        let set = live.and_then(|draw| draw.ball_set.as_deref());
        draws::start(self.connection, body.draw, state, self.leaf, set)
    }

    pub(super) fn balls_recorded(&mut self, body: &BallsRecorded) -> QueryResult<()> {
        self.set_draw(body.draw, DrawState::Drawn)?;
        let row = DrawResultRow {
            draw: body.draw,
            machine: body.machine,
            balls: body.balls.clone(),
            words_used: body.words_used,
            words_rejected: body.words_rejected,
            secrets_hash: body.secrets_hash,
            recorded_leaf: self.leaf,
            recorded_at_ms: self.header.at_ms,
            certified_leaf: None,
            certifiers: None,
            revealed_leaf: None,
        };
        row.insert(self.connection)
    }

    pub(super) fn draw_certified(&mut self, body: &DrawCertified) -> QueryResult<()> {
        self.set_draw(body.draw, DrawState::Official)?;
        let certifiers = body.certifiers.join(" ");
        draws::certify(self.connection, body.draw, self.leaf, &certifiers)
    }

    pub(super) fn secrets_revealed(&mut self, body: &SecretsRevealed) -> QueryResult<()> {
        for (secret, position) in body.secrets.iter().zip(0_u8..) {
            draws::set_secret(self.connection, (body.draw, position), secret)?;
        }
        draws::set_revealed(self.connection, body.draw, self.leaf)
    }

    pub(super) fn draw_settled(&mut self, body: &DrawSettled) -> QueryResult<()> {
        draws::set_state(self.connection, body.draw, DrawState::Settled)?;
        let row = DrawSettlementRow {
            draw: body.draw,
            leaf: self.leaf,
            winners: body.winners,
            small_cents: body.small_cents,
            large_cents: body.large_cents,
            payable_cents: body.payable_cents,
            small_numerator: body.small_numerator,
            small_denominator: body.small_denominator,
            large_numerator: body.large_numerator,
            large_denominator: body.large_denominator,
            breakage_cents: body.breakage_cents,
            prize_root: body.prize_root,
        };
        row.insert(self.connection)
    }

    pub(super) fn draw_voided(&mut self, body: &DrawVoided) -> QueryResult<()> {
        draws::void(self.connection, body.draw, self.leaf, &body.reason)
    }
}
