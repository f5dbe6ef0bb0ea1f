public import LocationCore

/// One step in the script of a scripted source.
public enum ScriptStep: Hashable, Sendable {
    /// Waits on the source's clock; a negative wait counts as zero.
    case wait(Duration)
    /// Emits a position as it is given, with its own timestamp or none.
    case location(Location)
    /// Emits a three-dimensional position dated with the time of its emission.
    case place(Coordinate, accuracy: Double)
    /// Emits a search and its reason.
    case searching(SearchReason, device: String? = nil)
    /// Emits a failure that does not end the session.
    case error(LocationError)
    /// Emits a failure again and again for a time, as a provider does that tries again: the first one at once, and the others `every` so
    /// often. Then the script continues.
    ///
    /// Each failure says when the next attempt is. Put `.endThrowing` after it for a provider that gives up:
    ///
    /// ```swift
    /// let lost = LocationError.connectionLost(host: "pi.local", port: 2947, cause: "reset by peer")
    /// let script = [ScriptStep.location(52.5, 13.4), .failing(lost, for: .seconds(16), every: .seconds(5)), .location(52.6, 13.4)]
    /// ```
    ///
    /// Without a positive time or interval there is one failure, as of `.error`.
    case failing(LocationError, for: Duration, every: Duration = .seconds(1))
    /// Emits the satellites.
    case satellites(SkyView)
    /// Emits the attitude of a receiver without a position, such as a compass; a position has its attitude in ``/LocationCore/Location/heading``.
    case attitude(Attitude)
    /// Emits the status of a receiver.
    case device(DeviceStatus)
    /// Emits the authorization status; `.denied` is followed by the failure `.denied`.
    case authorization(AuthorizationStatus)
    /// Emits a comparison of the host's clock with a receiver's.
    case clock(ClockSample)
    /// Emits a notice, which changes no state.
    case notice(Notice)
    /// Emits the positions of a random walk, each after a wait of `every`; the first position is one step away from
    /// `from`. A step is between 0.5 and 1.5 times as long as `stride`, in metres. A negative number of steps or time counts as zero.
    case randomWalk(from: Coordinate, steps: Int, every: Duration = .seconds(1), stride: Double = 1.4, seed: UInt64)
    /// Emits the positions of a way along coordinates, with their course and speed: the first one at once, and the others `every` so
    /// often, between the coordinates too, until the last one is reached.
    ///
    /// The speed is in metres per second. With one coordinate, or with a speed or a time that is not positive, there is one position.
    case route([Coordinate], speed: Double, every: Duration = .seconds(1))
    /// Emits the events of a receiver that is attacked, each second's after a wait of a second.
    case attacked(AttackedReceiver)
    /// Plays the events of another module and then continues; see `replay`.
    case play(ScriptedPlayback)
    /// Stops the script but leaves the session open, so that forced events still arrive.
    case hang
    /// Ends the session.
    case end
    /// Ends the session with an error.
    case endThrowing(LocationError)

    /// Returns a step that emits a notice with a content.
    package static func notice(_ content: Notice.NoticeContent) -> ScriptStep { .notice(Notice(content)) }

    /// Returns a step that emits a position dated with the time of its emission, with an accuracy of five metres by
    /// default.
    public static func location(_ latitude: Double, _ longitude: Double, accuracy: Double = 5) -> ScriptStep {
        .place(Coordinate(latitude: latitude, longitude: longitude), accuracy: accuracy)
    }
}
