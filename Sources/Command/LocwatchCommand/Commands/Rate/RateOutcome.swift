import LocationCore

/// The receiver as it is after a look at its rate, or a change.
struct RateReport: Hashable, Sendable {
    var status: DeviceStatus
    /// The measured time between two epochs, if there were enough of them.
    var cycle: Duration?
    /// The capacity of its line, if the line has a speed.
    var capacity: LineCapacity?
}

/// The result of a look at a receiver's rate, or of a change.
enum RateOutcome: Hashable, Sendable {
    case shown(RateReport)
    /// The receiver had the rate before.
    case unchanged(RateReport)
    /// The receiver has the rate, in the place of the one before.
    case changed(RateReport, before: Duration)
    /// Nothing was changed.
    case refused(RateRefusal)
    /// The receiver has not taken the rate, and was asked for the one before again.
    case undone(RateFailure, RateReport, before: Duration, isMeasured: Bool)
}

/// The reason why a rate is not asked for.
enum RateRefusal: Hashable, Sendable {
    case noReceiver
    /// Several receivers, by their names.
    case severalReceivers([String])
    /// The daemon writes nothing to the receiver.
    case readOnly(device: String)
    /// The receiver sends nothing that gpsd understands.
    case noData(device: String)
    /// The driver cannot change the rate.
    case noRate(device: String, driver: String)
    /// The rate cannot be measured without positions.
    case noPosition(device: String)
    /// The wish is shorter than the shortest cycle.
    case tooFast(RateReport, wish: Duration, shortest: Duration)
    case slowLine(RateReport, wish: Duration, LineCapacity)
}

/// The reason why a receiver counts as one that has not taken a rate.
enum RateFailure: Hashable, Sendable {
    /// The receiver says that it has another cycle.
    case says(Duration)
    /// It has another cycle.
    case measures(Duration)
    /// A number of epochs has not arrived.
    case loses(Int)
    /// No position arrives any more.
    case silent
}
