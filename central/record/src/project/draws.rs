//! Rows of draws.

use diesel::QueryResult;
use keno_game::DrawState;
use keno_log::event::{
    BallsRecorded, CommitmentRecorded, DrawCertified, DrawClosed, DrawScheduled, DrawSettled,
    DrawVoided, SecretsRevealed,
};
use keno_schema::rows::{DrawHolderRow, DrawResultRow, DrawRow, DrawSettlementRow};

use super::Projection;
use crate::fault::Fault;
use crate::store::{big, draws};

impl Projection<'_> {
    pub(super) fn draw_scheduled(&mut self, body: &DrawScheduled) -> QueryResult<()> {
        let row = DrawRow {
            number: big(body.draw),
            state: self.state_of(body.draw, DrawState::Scheduled),
            closes_at_ms: body.closes_at_ms,
            draws_at_ms: body.draws_at_ms,
            source: i16::from(body.source),
            pool_size: i16::from(body.pool_size),
            drawn: i16::from(body.drawn),
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
        };
        draws::insert_draw(self.connection, &row)?;
        let holders = body.holders.iter().zip(0_i16..);
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
    pub(super) fn state_of(&self, draw: u64, left: DrawState) -> i16 {
        let known = self.state.draws.get(&draw);
        i16::from(known.map_or(left, |draw| draw.state).code())
    }

    pub(super) fn set_draw(&mut self, draw: u64, state: DrawState) -> QueryResult<()> {
        let state = self.state_of(draw, state);
        draws::set_state(self.connection, big(draw), state).map(drop)
    }

    pub(super) fn committed(&mut self, body: &CommitmentRecorded) -> QueryResult<()> {
        let (number, position) = (big(body.draw), i16::from(body.position));
        let commitment = &body.commitment;
        draws::set_commitment(self.connection, number, position, commitment, self.leaf).map(drop)
    }

    pub(super) fn draw_closed(&mut self, body: &DrawClosed) -> Result<(), Fault> {
        let draw = self.state.draws.get(&body.draw);
        let seal = draw
            .and_then(|draw| draw.seal)
            .ok_or_else(|| Fault::Record(format!("draw {} closed without a seal", body.draw)))?;
        let closing = draws::Closing {
            state: self.state_of(body.draw, DrawState::Closed),
            leaf: self.leaf,
            seal_root: &seal.root,
            tickets: big(body.tickets),
            selections: big(body.selections),
            wagered_cents: body.wagered_cents,
        };
        draws::close(self.connection, big(body.draw), &closing)?;
        Ok(())
    }

    pub(super) fn balls_recorded(&mut self, body: &BallsRecorded) -> QueryResult<()> {
        self.set_draw(body.draw, DrawState::Drawn)?;
        let row = DrawResultRow {
            draw: big(body.draw),
            machine: i16::from(body.machine),
            balls: body.balls.clone(),
            words_used: big(body.words_used),
            words_rejected: big(body.words_rejected),
            secrets_hash: body.secrets_hash.to_vec(),
            recorded_leaf: self.leaf,
            recorded_at_ms: self.header.at_ms,
            certified_leaf: None,
            certifiers: None,
            revealed_leaf: None,
        };
        draws::insert_result(self.connection, &row).map(drop)
    }

    pub(super) fn draw_certified(&mut self, body: &DrawCertified) -> QueryResult<()> {
        self.set_draw(body.draw, DrawState::Official)?;
        let certifiers = body.certifiers.join(" ");
        draws::certify(self.connection, big(body.draw), self.leaf, &certifiers).map(drop)
    }

    pub(super) fn secrets_revealed(&mut self, body: &SecretsRevealed) -> QueryResult<()> {
        for (secret, position) in body.secrets.iter().zip(0_i16..) {
            draws::set_secret(self.connection, big(body.draw), position, secret)?;
        }
        draws::set_revealed(self.connection, big(body.draw), self.leaf).map(drop)
    }

    pub(super) fn draw_settled(&mut self, body: &DrawSettled) -> QueryResult<()> {
        let settled = i16::from(DrawState::Settled.code());
        draws::set_state(self.connection, big(body.draw), settled)?;
        let row = DrawSettlementRow {
            draw: big(body.draw),
            leaf: self.leaf,
            winners: big(body.winners),
            small_cents: body.small_cents,
            large_cents: body.large_cents,
            payable_cents: body.payable_cents,
            small_numerator: big(body.small_numerator),
            small_denominator: big(body.small_denominator),
            large_numerator: big(body.large_numerator),
            large_denominator: big(body.large_denominator),
            breakage_cents: body.breakage_cents,
            prize_root: body.prize_root.to_vec(),
        };
        draws::insert_settlement(self.connection, &row).map(drop)
    }

    pub(super) fn draw_voided(&mut self, body: &DrawVoided) -> QueryResult<()> {
        let (number, void) = (big(body.draw), i16::from(DrawState::Void.code()));
        draws::void(self.connection, number, void, self.leaf, &body.reason).map(drop)
    }
}
