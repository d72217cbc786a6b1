-- Why a holder of the ticket was not paid, last: from then on two people pay it. Who it was is not kept.
ALTER TABLE ticket ADD COLUMN refused_reason SMALLINT CHECK (refused_reason BETWEEN 1 AND 4);
