//! The prize tables of the version last asked for: its certificate costs milliseconds to compute.

use std::sync::Arc;

use keno_log::Hash;
use parking_lot::Mutex;

use crate::pages::view::PrizeTables;

/// Prize tables by the hash of their rules; the last alone is kept.
#[derive(Debug, Default)]
pub struct PrizeCache(Mutex<Option<(Hash, Arc<PrizeTables>)>>);

impl PrizeCache {
    /// The tables of these rules, made where they are not the ones that are kept.
    pub fn of(
        &self,
        rules: &Hash,
        make: impl FnOnce() -> Option<PrizeTables>,
    ) -> Option<PrizeTables> {
        let mut kept = self.0.lock();
        if let Some((hash, tables)) = kept.as_ref()
            && hash == rules
        {
            return Some(PrizeTables::clone(tables));
        }
        let tables = Arc::new(make()?);
        *kept = Some((*rules, Arc::clone(&tables)));
        Some(PrizeTables::clone(&tables))
    }
}
