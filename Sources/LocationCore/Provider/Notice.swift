/// Information about a session that does not change its state.
///
/// The `code` is a pattern for the notices with it, as in `case .notice(.dropped)`. A later release can have more codes, so
/// that a `switch` has a `default`.
public struct Notice: Hashable, Sendable {
    /// The case with its values, by which the modules of this package tell all notices apart.
    package let detail: Detail

    package init(_ detail: Detail) { self.detail = detail }

    /// A short, stable identifier of a notice, without its values.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible, Codable {
        /// The identifier, for programs.
        public let rawValue: String

        /// Creates the code with an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The identifier.
        public var description: String { rawValue }

        /// Lines that could not be parsed were skipped.
        public static let linesSkipped = Code(rawValue: "linesSkipped")
        /// Events were dropped, the oldest first, because the consumer was too slow.
        public static let dropped = Code(rawValue: "dropped")
        /// A date is impossible, such as one that is a GPS week rollover away.
        public static let implausibleDate = Code(rawValue: "implausibleDate")
        /// A field had an impossible value, which counts as unknown; reported once for each field of a device.
        public static let implausibleValue = Code(rawValue: "implausibleValue")
        /// A recording ends in the middle of a line.
        public static let tornEnd = Code(rawValue: "tornEnd")
        /// The last position that the source has kept of a device, which may be from long before the session.
        public static let lastKnown = Code(rawValue: "lastKnown")
        /// An event at a fence that the device itself monitors.
        public static let fence = Code(rawValue: "fence")
        /// A device sends messages that are not understood; reported once for each device.
        public static let unknownMessage = Code(rawValue: "unknownMessage")
        /// Messages were skipped.
        public static let messagesSkipped = Code(rawValue: "messagesSkipped")
        /// Corrections begin or cease to arrive.
        public static let corrections = Code(rawValue: "corrections")
        /// The source names the time for which a position stays current without a new one.
        public static let staleAfter = Code(rawValue: "staleAfter")
        /// A message for people from the provider.
        public static let message = Code(rawValue: "message")
    }

    /// The cases of a notice.
    package enum Detail: Hashable, Sendable {
        case linesSkipped(count: Int, cause: String)
        case dropped(locations: Int, skyViews: Int, others: Int)
        case implausibleDate(Timestamp, device: String?)
        case implausibleValue(field: String, device: String?)
        case tornEnd(bytes: Int)
        case lastKnown(Location)
        case fence(FenceEvent)
        case unknownMessage(device: String, cause: String)
        /// `count` is the number since the session began.
        case messagesSkipped(count: Int, cause: String)
        case corrections(CorrectionsStatus)
        case staleAfter(Duration)
        case message(String)
    }
}

// MARK: Matching

extension Notice {
    /// The identifier of the notice.
    public var code: Code {
        switch detail {
        case .linesSkipped: .linesSkipped
        case .dropped: .dropped
        case .implausibleDate: .implausibleDate
        case .implausibleValue: .implausibleValue
        case .tornEnd: .tornEnd
        case .lastKnown: .lastKnown
        case .fence: .fence
        case .unknownMessage: .unknownMessage
        case .messagesSkipped: .messagesSkipped
        case .corrections: .corrections
        case .staleAfter: .staleAfter
        case .message: .message
        }
    }

    /// Returns whether a notice has a code, for `switch` and `if case`.
    public static func ~= (code: Code, notice: Notice) -> Bool { notice.code == code }

    /// The number of lines, messages or events that the notice counts, if it does.
    public var count: Int? {
        switch detail {
        case .linesSkipped(let count, _), .messagesSkipped(let count, _): count
        case .dropped(let locations, let skyViews, let others): locations + skyViews + others
        case .implausibleDate, .implausibleValue, .tornEnd, .lastKnown, .fence, .unknownMessage, .corrections,
            .staleAfter, .message:
            nil
        }
    }

    /// The last known position, for the code `lastKnown`.
    public var location: Location? { if case .lastKnown(let location) = detail { location } else { nil } }

    /// The event at a fence, for the code `fence`.
    public var fenceEvent: FenceEvent? { if case .fence(let event) = detail { event } else { nil } }

    /// The state of the corrections, for the code `corrections`.
    public var corrections: CorrectionsStatus? { if case .corrections(let status) = detail { status } else { nil } }

    /// The time for which a position stays current without a new one, for the code `staleAfter`.
    package var staleAfter: Duration? { if case .staleAfter(let time) = detail { time } else { nil } }

    /// The device that the information concerns, if it selects the device's events.
    var device: String? {
        switch detail {
        case .lastKnown(let location): location.device
        case .fence(let event): event.device
        case .unknownMessage(let device, _): device
        case .linesSkipped, .dropped, .implausibleDate, .implausibleValue, .tornEnd, .messagesSkipped, .corrections,
            .staleAfter, .message:
            nil
        }
    }
}

// MARK: Creating

extension Notice {
    /// Lines that could not be parsed were skipped.
    public static func linesSkipped(count: Int, cause: String) -> Self {
        Self(.linesSkipped(count: count, cause: cause))
    }

    /// Events were dropped, the oldest first, because the consumer was too slow.
    public static func dropped(locations: Int, skyViews: Int, others: Int = 0) -> Self {
        Self(.dropped(locations: locations, skyViews: skyViews, others: others))
    }

    /// The last position that the source has kept of a device, which may be from long before the session.
    public static func lastKnown(_ location: Location) -> Self { Self(.lastKnown(location)) }

    /// An event at a fence that the device itself monitors.
    public static func fence(_ event: FenceEvent) -> Self { Self(.fence(event)) }

    /// Messages were skipped; `count` is the number since the session began.
    public static func messagesSkipped(count: Int, cause: String) -> Self {
        Self(.messagesSkipped(count: count, cause: cause))
    }

    /// Corrections begin or cease to arrive.
    public static func corrections(_ status: CorrectionsStatus) -> Self { Self(.corrections(status)) }

    /// Positions stay current for this time without a new one, as those of a track do, which says itself where it is interrupted.
    ///
    /// It concerns the receivers that report after it. A time that is given to `tracked(for:staleAfter:)` has precedence.
    package static func staleAfter(_ time: Duration) -> Self { Self(.staleAfter(time)) }

    /// A message for people from the provider.
    public static func message(_ text: String) -> Self { Self(.message(text)) }

    package static func implausibleDate(_ date: Timestamp, device: String?) -> Self {
        Self(.implausibleDate(date, device: device))
    }

    package static func implausibleValue(field: String, device: String?) -> Self {
        Self(.implausibleValue(field: field, device: device))
    }

    package static func tornEnd(bytes: Int) -> Self { Self(.tornEnd(bytes: bytes)) }

    package static func unknownMessage(device: String, cause: String) -> Self {
        Self(.unknownMessage(device: device, cause: cause))
    }
}
