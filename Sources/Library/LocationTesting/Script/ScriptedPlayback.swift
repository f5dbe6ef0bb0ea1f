package import LocationCore

/// Events that another module plays as a step of a script, such as those of a recorded session.
public struct ScriptedPlayback: Hashable, Sendable {
    let answer: any ScriptedAnswer

    package init(_ answer: some ScriptedAnswer) { self.answer = answer }

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
    /// Returns the events that arrive next, or `nil` after the last.
    mutating func next() throws(LocationError) -> [ScriptedArrival]?
}

/// An event of an answer and its arrival time, relative to the start of the answer.
package struct ScriptedArrival: Hashable, Sendable {
    package var event: LocationEvent
    package var due: Duration

    package init(event: LocationEvent, due: Duration) {
        self.event = event
        self.due = due
    }
}
