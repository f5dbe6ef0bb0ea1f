/// The limits by which a receiver's rate is judged and waited for.
struct RateRules: Hashable, Sendable {
    /// The number of intervals whose median is the rate.
    var intervals = 10
    /// The number of intervals for the rate before the change, and for that after it was undone.
    var intervalsBefore = 3
    /// The largest difference from the wish, as a part of it.
    var tolerance = 0.1
    /// The difference within which a receiver has the rate already.
    var sameness = 0.02
    /// The time, by the receiver's clock, in which no epoch may be lost.
    var window = Duration.seconds(10)
    /// The time for the driver to find out about the receiver, and for a position.
    var patience = Duration.seconds(15)
    /// The time within which a receiver answers.
    var answer = Duration.seconds(1)
    /// The time for which the bytes of the receiver are counted.
    var counting = Duration.seconds(3)
    /// The shortest silence after which the receiver counts as silent.
    var silence = Duration.seconds(5)
}
