/// Information about a session that does not change its state: a code for programs and a sentence for people.
public struct Notice: Hashable, Sendable {
    /// The contents that a notice can have.
    package enum NoticeContent: Hashable, Sendable {
        /// Lines that could not be parsed were skipped.
        case linesSkipped(count: Int, cause: String)
        /// Events were dropped, the oldest first, because the consumer was too slow.
        case dropped(locations: Int, skyViews: Int, others: Int = 0)
        /// A date is impossible, such as one that is a GPS week rollover away.
        case implausibleDate(Timestamp, device: String?)
        /// A field had an impossible value, which counts as unknown; reported once for each field of a device.
        case implausibleValue(field: String, device: String?)
        /// A recording ends in the middle of a line.
        case tornEnd(bytes: Int)
        /// The last position that the source has kept of a device, which may be from long before the session.
        case lastKnown(Location)
        /// An event at a fence that the device itself monitors.
        case fence(FenceEvent)
        /// A device sends messages that are not understood; reported once for each device.
        case unknownMessage(device: String, cause: String)
        /// Messages were skipped; `count` is the number since the session began.
        case messagesSkipped(count: Int, cause: String)
        /// Corrections begin or cease to arrive.
        case corrections(CorrectionsStatus)
        /// Positions stay current for this time without a new one, as those of a track do, which says itself where it is interrupted.
        ///
        /// It concerns the receivers that report after it. A time that is given to `tracked(for:fences:staleAfter:)` has precedence.
        case staleAfter(Duration)
        /// The points that follow belong to another track of a file, which has a name or none.
        case track(name: String?)
        /// A file has content that no position has, in words such as `3 waypoints`.
        case leftOut(String)
        /// A message for people from the provider.
        case message(String)
    }

    package let content: NoticeContent

    package init(_ content: NoticeContent) { self.content = content }

    /// Creates a notice with a message for people.
    public init(_ message: String) { content = .message(message) }

    /// A short, stable identifier of the notice, without its values.
    public var code: String {
        switch content {
        case .linesSkipped: "linesSkipped"
        case .dropped: "dropped"
        case .implausibleDate: "implausibleDate"
        case .implausibleValue: "implausibleValue"
        case .tornEnd: "tornEnd"
        case .lastKnown: "lastKnown"
        case .fence: "fence"
        case .unknownMessage: "unknownMessage"
        case .messagesSkipped: "messagesSkipped"
        case .corrections: "corrections"
        case .staleAfter: "staleAfter"
        case .track: "track"
        case .leftOut: "leftOut"
        case .message: "message"
        }
    }

    /// The device that the information concerns, if it selects the device's events.
    var device: String? {
        switch content {
        case .lastKnown(let location): location.device
        case .fence(let event): event.device
        case .unknownMessage(let device, _): device
        case .linesSkipped, .dropped, .implausibleDate, .implausibleValue, .tornEnd, .messagesSkipped, .corrections,
            .staleAfter, .track, .leftOut, .message:
            nil
        }
    }
}
