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

    /// Begins a fault, which the status shows by its name.
    case fault(StandInFault, name: String)
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
