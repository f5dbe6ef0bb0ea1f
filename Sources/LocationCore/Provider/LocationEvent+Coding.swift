// The form of events when encoded. It is stable: a release reads what earlier ones have written, and values whose key is
// missing are unknown. Durations are in seconds, times are RFC 3339 text.

extension LocationEvent: Codable {
    private enum Key: String, CodingKey {
        case event, location, reason, device, error, retry, sky, status, report, sample, bytes, notice
    }

    /// Encodes the name of the event as `event`, and its values beside it.
    ///
    /// ```json
    /// {"event": "searching", "reason": {"code": "noFix", "seen": 7}, "device": "/dev/ttyACM0"}
    /// ```
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .event)
        switch self {
        case .location(let location): try container.encode(location, forKey: .location)
        case .searching(let reason, let device):
            try container.encode(reason, forKey: .reason)
            try container.encodeIfPresent(device, forKey: .device)
        case .failure(let error, let retry):
            try container.encode(error, forKey: .error)
            try container.encodeIfPresent(retry, forKey: .retry)
        case .satellites(let sky): try container.encode(sky, forKey: .sky)
        case .device(let status): try container.encode(status, forKey: .status)
        case .authorization(let status): try container.encode(status, forKey: .status)
        case .receiver(let report): try container.encode(report, forKey: .report)
        case .clock(let sample): try container.encode(sample, forKey: .sample)
        case .line(let bytes): try container.encode(bytes, forKey: .bytes)
        case .notice(let notice): try container.encode(notice, forKey: .notice)
        case .other: break
        }
    }

    /// Decodes an event; one with a name that is not known here is ``other(_:)``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let name = try container.decode(String.self, forKey: .event)
        self =
            switch name {
            case "location": .location(try container.decode(Location.self, forKey: .location))
            case "searching":
                .searching(
                    try container.decode(SearchReason.self, forKey: .reason),
                    device: try container.decodeIfPresent(String.self, forKey: .device))
            case "failure":
                .failure(
                    try container.decode(LocationError.self, forKey: .error),
                    retry: try container.decodeIfPresent(Duration.self, forKey: .retry))
            case "satellites": .satellites(try container.decode(SkyView.self, forKey: .sky))
            case "device": .device(try container.decode(DeviceStatus.self, forKey: .status))
            case "authorization": .authorization(try container.decode(AuthorizationStatus.self, forKey: .status))
            case "receiver": .receiver(try container.decode(ReceiverReport.self, forKey: .report))
            case "clock": .clock(try container.decode(ClockSample.self, forKey: .sample))
            case "line": .line(try container.decode([UInt8].self, forKey: .bytes))
            case "notice": .notice(try container.decode(Notice.self, forKey: .notice))
            default: .other(name)
            }
    }

    /// The name of the event when encoded.
    package var name: String {
        switch self {
        case .location: "location"
        case .searching: "searching"
        case .failure: "failure"
        case .satellites: "satellites"
        case .device: "device"
        case .authorization: "authorization"
        case .receiver: "receiver"
        case .clock: "clock"
        case .line: "line"
        case .notice: "notice"
        case .other(let name): name
        }
    }
}

/// The form of a notice when encoded, without the values that it does not have.
private struct NoticeValues: Codable {
    var code: Notice.Code
    var count: Int?
    var cause: String?
    var locations: Int?
    var skyViews: Int?
    var others: Int?
    var date: Timestamp?
    var field: String?
    var bytes: Int?
    var device: String?
    var location: Location?
    var fence: FenceEvent?
    var corrections: CorrectionsStatus?
    var duration: Duration?
    var message: String?
}

extension Notice: Codable {
    /// Encodes the code and the values that the notice has.
    public func encode(to encoder: any Encoder) throws {
        var values = NoticeValues(code: code)
        switch detail {
        case .linesSkipped(let count, let cause), .messagesSkipped(let count, let cause):
            (values.count, values.cause) = (count, cause)
        case .dropped(let locations, let skyViews, let others):
            (values.locations, values.skyViews, values.others) = (locations, skyViews, others)
        case .implausibleDate(let date, let device): (values.date, values.device) = (date, device)
        case .implausibleValue(let field, let device): (values.field, values.device) = (field, device)
        case .tornEnd(let bytes): values.bytes = bytes
        case .lastKnown(let location): values.location = location
        case .fence(let event): values.fence = event
        case .unknownMessage(let device, let cause): (values.device, values.cause) = (device, cause)
        case .corrections(let status): values.corrections = status
        case .staleAfter(let time): values.duration = time
        case .message(let text): values.message = text
        }
        try values.encode(to: encoder)
    }

    /// Decodes a notice; one whose code is not known here, or lacks a value, is a message with the code.
    public init(from decoder: any Decoder) throws {
        let values = try NoticeValues(from: decoder)
        self.init(values.detail ?? .message(values.message ?? values.code.rawValue))
    }
}

extension NoticeValues {
    fileprivate var detail: Notice.Detail? {
        switch code {
        case .linesSkipped: if let count, let cause { return .linesSkipped(count: count, cause: cause) }
        case .messagesSkipped: if let count, let cause { return .messagesSkipped(count: count, cause: cause) }
        case .dropped:
            return .dropped(locations: locations ?? 0, skyViews: skyViews ?? 0, others: others ?? 0)
        case .implausibleDate: if let date { return .implausibleDate(date, device: device) }
        case .implausibleValue: if let field { return .implausibleValue(field: field, device: device) }
        case .tornEnd: if let bytes { return .tornEnd(bytes: bytes) }
        case .lastKnown: if let location { return .lastKnown(location) }
        case .fence: if let fence { return .fence(fence) }
        case .unknownMessage: if let device, let cause { return .unknownMessage(device: device, cause: cause) }
        case .corrections: if let corrections { return .corrections(corrections) }
        case .staleAfter: if let duration { return .staleAfter(duration) }
        default: break
        }
        return nil
    }
}

extension FixQuality: Codable {
    /// Encodes the name of the quality, or gpsd's number for one that has no name here.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if case .other(let status) = self { try container.encode(status) } else { try container.encode(code) }
    }

    /// Decodes the name of a quality or gpsd's number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let status = try? container.decode(Int.self) {
            self = FixQuality(gpsdStatus: status)
            return
        }
        let code = try container.decode(String.self)
        guard let quality = FixQuality(code: code) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a quality of a fix: \(code)")
        }
        self = quality
    }
}

extension LocationState: Codable {
    private enum Key: String, CodingKey { case state, reason, location, error }

    /// Encodes the name of the state as `state`, and its value beside it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .searching(let reason):
            try container.encode("searching", forKey: .state)
            try container.encode(reason, forKey: .reason)
        case .found(let location):
            try container.encode("found", forKey: .state)
            try container.encode(location, forKey: .location)
        case .error(let error):
            try container.encode("error", forKey: .state)
            try container.encode(error, forKey: .error)
        }
    }

    /// Decodes a state.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        switch try container.decode(String.self, forKey: .state) {
        case "searching": self = .searching(try container.decode(SearchReason.self, forKey: .reason))
        case "found": self = .found(try container.decode(Location.self, forKey: .location))
        case "error": self = .error(try container.decode(LocationError.self, forKey: .error))
        case let name:
            throw DecodingError.dataCorruptedError(
                forKey: .state, in: container, debugDescription: "not a state: \(name)")
        }
    }
}

extension Handover.Reason: Codable {
    private enum Key: String, CodingKey { case code, lost }

    /// Encodes the reason for a loss as `lost`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        if case .lost(let reason) = self { try container.encode(reason, forKey: .lost) }
        try container.encode(code, forKey: .code)
    }

    /// Decodes a reason.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self = try container.decodeIfPresent(SearchReason.self, forKey: .lost).map { .lost($0) } ?? .better
    }
}

// Synthesized Codable conformances select these overloads, so that a duration is a number of seconds.
extension KeyedEncodingContainer {
    mutating func encode(_ value: Duration, forKey key: Key) throws {
        try encode(value / .seconds(1), forKey: key)
    }

    mutating func encodeIfPresent(_ value: Duration?, forKey key: Key) throws {
        try encodeIfPresent(value.map { $0 / .seconds(1) }, forKey: key)
    }
}

extension KeyedDecodingContainer {
    func decode(_ type: Duration.Type, forKey key: Key) throws -> Duration {
        let seconds = try decode(Double.self, forKey: key)
        // Nanoseconds are exact for months, and a sum of them compares equal to itself.
        guard let nanoseconds = Int64(exactly: (seconds * 1e9).rounded()) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "not a duration: \(seconds) s")
        }
        return .nanoseconds(nanoseconds)
    }

    func decodeIfPresent(_ type: Duration.Type, forKey key: Key) throws -> Duration? {
        try contains(key) && !decodeNil(forKey: key) ? decode(type, forKey: key) : nil
    }
}
