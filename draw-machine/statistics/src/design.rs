//! The exact moments of a fair draw of `drawn` balls out of `pool` without replacement.
//!
//! Write `X_i` for "ball i is in the draw". The balls of one draw are not independent, and the
//! usual `Σ(O−E)²/E` is not chi-square; but the covariance matrices are known to the last digit,
//! since they do not change when balls are renamed:
//!
//! * **Single balls.** The covariance of the `X_i` is `λ₁(I − J/n)` with
//!   `λ₁ = p(1−p)·n/(n−1)`, `p = k/n`. So `Σ(O_i−E)²/(Nλ₁)` is chi-square with n−1 degrees of
//!   freedom. It is the usual sum times `(n−1)/(n−k)`: for 20 of 80, 79/60.
//! * **Pairs.** The covariance of the `X_iX_j` depends only on whether two pairs are the same,
//!   share a ball or share none: it lies in the Johnson scheme J(n,2), whose three common
//!   eigenspaces are the constant (eigenvalue 0, since every draw has k(k−1)/2 pairs), the
//!   n−1 dimensions of the single balls, and the n(n−3)/2 dimensions of *pure pairs*. With
//!   `q₂, q₃, q₄` the probabilities that 2, 3, 4 given balls are all drawn, the eigenvalue on the
//!   pure pairs is `λ₂ = q₂ − 2q₃ + q₄`. What is left of the pair counts when the single balls are
//!   taken out, squared and summed over `Nλ₂`, is chi-square with n(n−3)/2 = 3,080 degrees of
//!   freedom, and says nothing that the single balls said already.
//! * **Positions.** "Ball b at place p" has covariance `R ⊗ (I − J/n)/n`, where `R` is 1 on its
//!   diagonal and −1/(n−1) beside it. The sum over the places is the single balls again; on the
//!   contrasts between places every eigenvalue is `1/(n−1)`, which leaves (k−1)(n−1) = 1,501
//!   degrees of freedom.
//! * **Overlaps.** Whatever came before, the next draw meets a given earlier one in a
//!   hypergeometric number of balls. So overlaps at one distance are independent, and at two
//!   distances they are uncorrelated.
//!
//! The tests go through every draw of small pools and find these numbers again.

/// A kind of draw: so many of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Design {
    /// Balls in the pool.
    pub pool: u8,
    /// Balls drawn, at least 1 and fewer than the pool.
    pub drawn: u8,
}

impl Design {
    fn n(self) -> f64 {
        f64::from(self.pool)
    }

    fn k(self) -> f64 {
        f64::from(self.drawn)
    }

    /// Probability that `count` given balls are all drawn.
    #[must_use]
    pub fn all_drawn(self, count: u8) -> f64 {
        (0..count).fold(1.0, |product, step| {
            product * (self.k() - f64::from(step)).max(0.0) / (self.n() - f64::from(step))
        })
    }

    /// Probability that a given ball is drawn.
    #[must_use]
    pub fn share(self) -> f64 {
        self.all_drawn(1)
    }

    /// Variance of one ball's count, a draw.
    #[must_use]
    pub fn single_variance(self) -> f64 {
        self.share() * (1.0 - self.share())
    }

    /// Eigenvalue of the single balls' covariance, a draw; n−1 times.
    #[must_use]
    pub fn single_eigenvalue(self) -> f64 {
        self.single_variance() * self.n() / (self.n() - 1.0)
    }

    /// Variance of one pair's count, a draw.
    #[must_use]
    pub fn pair_variance(self) -> f64 {
        let share = self.all_drawn(2);
        share * (1.0 - share)
    }

    /// Eigenvalue of the pairs' covariance on the pure pairs, a draw; n(n−3)/2 times.
    #[must_use]
    pub fn pair_eigenvalue(self) -> f64 {
        self.all_drawn(2) - 2.0 * self.all_drawn(3) + self.all_drawn(4)
    }

    /// Eigenvalue of the pairs' covariance on the single balls, a draw; n−1 times.
    #[must_use]
    pub fn pair_eigenvalue_of_singles(self) -> f64 {
        self.all_drawn(2) + (self.n() - 4.0) * self.all_drawn(3)
            - (self.n() - 3.0) * self.all_drawn(4)
    }

    /// Degrees of freedom of the single balls.
    #[must_use]
    pub fn single_degrees(self) -> f64 {
        self.n() - 1.0
    }

    /// Degrees of freedom of the pure pairs.
    #[must_use]
    pub fn pair_degrees(self) -> f64 {
        self.n() * (self.n() - 3.0) / 2.0
    }

    /// Variance of one cell of places by balls, a draw.
    #[must_use]
    pub fn position_variance(self) -> f64 {
        (1.0 - 1.0 / self.n()) / self.n()
    }

    /// Eigenvalue of the covariance of places by balls on the contrasts between places, a draw.
    #[must_use]
    pub fn position_eigenvalue(self) -> f64 {
        1.0 / (self.n() - 1.0)
    }

    /// Degrees of freedom of the contrasts between places.
    #[must_use]
    pub fn position_degrees(self) -> f64 {
        (self.k() - 1.0) * (self.n() - 1.0)
    }

    /// Mean number of balls that two draws have in common.
    #[must_use]
    pub fn overlap_mean(self) -> f64 {
        self.k() * self.k() / self.n()
    }

    /// Variance of the number of balls that two draws have in common.
    #[must_use]
    pub fn overlap_variance(self) -> f64 {
        self.overlap_mean() * (1.0 - self.share()) * (self.n() - self.k()) / (self.n() - 1.0)
    }

    /// Mean sum of the numbers of a draw.
    #[must_use]
    pub fn sum_mean(self) -> f64 {
        self.k() * (self.n() + 1.0) / 2.0
    }

    /// Variance of the sum of the numbers of a draw.
    #[must_use]
    pub fn sum_variance(self) -> f64 {
        self.k() * (self.n() + 1.0) * (self.n() - self.k()) / 12.0
    }
}

#[cfg(test)]
#[path = "design_tests.rs"]
mod tests;
