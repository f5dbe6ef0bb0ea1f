/// The reason why a receiver or a daemon of a simulation cannot be started; its description is a message for people.
public struct SimulationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence without a full stop, in English.
    public let description: String

    init(_ description: String) { self.description = description }
}
