import LocationCore

/// A parsed command: what a line of a script, a fault or a word of the control port does.
enum StandInCommand: Hashable, Sendable {
    /// Condition for which a control client waits.
    enum Awaited: Hashable, Sendable {
        /// At least a number of clients watch.
        case clients(Int)
        /// Every client has read all that was sent to it.
        case read
    }

    case fault(StandInEffect)
    /// Ends all faults.
    case clear
    /// Ends the loss of the fix, and plugs the receiver in.
    case restore
    /// Accepts connections again.
    case accept
    case move(Coordinate)
    case jump(metres: Double)
    case status
    case requests
    case wait(Awaited, limit: Duration)
    case step(Duration)
}

/// The effect of a named fault.
enum StandInEffect: Hashable, Sendable {
    /// A fault of the whole server, until it is cleared.
    case lasting(StandInFault)
    /// A condition, until it is cleared or a duration has passed.
    case condition(StandInCondition, Duration?)
    /// Each line arrives later by a duration, until it is cleared.
    case delay(Duration)
    /// Each epoch is reported in two parts, until it is cleared.
    case partial
    /// The greeting names this release, until it is cleared.
    case release(String)
    /// The next line ends after a number of bytes, or in its middle, without its line end.
    case cut(bytes: Int?)
    /// Random bytes precede the next line.
    case garbage(bytes: Int)
    /// These bytes precede the next line.
    case insert([UInt8])
    /// A line of a number of bytes precedes the next one.
    case long(bytes: Int)
    /// All connections end, abruptly if `reset` is set; without a watching client, those that get the next line.
    case hangUp(reset: Bool)
    /// All connections end, and are refused for a duration.
    case restart(Duration)
}

/// A state of a stand-in that a fault begins.
enum StandInCondition: String, Hashable, Sendable, CaseIterable {
    /// The receiver has no fix.
    case lost = "lose"
    /// Nothing is sent, and what would have been sent is lost.
    case silent = "silence"
    /// Connections are refused.
    case refusing = "refuse"
    /// The receiver is unplugged.
    case unplugged = "unplug"
}
