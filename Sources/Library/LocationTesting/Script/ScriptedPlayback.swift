package import LocationCore

/// Events that a step of a script plays, such as those of a recorded session.
public struct ScriptedPlayback: Hashable, Sendable {
    package let answer: any ScriptedAnswer

    /// Creates a playback of the events of an answer.
    package init(_ answer: any ScriptedAnswer) { self.answer = answer }

    /// Returns whether two steps play the same events.
    public static func == (left: ScriptedPlayback, right: ScriptedPlayback) -> Bool {
        left.answer.equals(right.answer)
    }

    /// Feeds what identifies the events to a hasher.
    public func hash(into hasher: inout Hasher) { answer.hash(into: &hasher) }
}

/// The content of a playback.
package protocol ScriptedAnswer: Hashable, Sendable {
    /// Opens the answer; throws the error with which the session ends.
    func open(includesLines: Bool) async throws(LocationError) -> any ScriptedArrivals
}

extension ScriptedAnswer {
    fileprivate func equals(_ other: any ScriptedAnswer) -> Bool { other as? Self == self }
}

/// The events of an answer in the order of their arrival.
package protocol ScriptedArrivals {
    /// Returns the events that arrive next, with their arrival times relative to the start of the answer, or `nil` after the last.
    mutating func next() throws(LocationError) -> [(event: LocationEvent, due: Duration)]?
}
