import LocationCore
import LocwatchArguments
import LocwatchTerminal

/// An event for hooks, with the data that it passes to them.
package struct HookEvent: Hashable, Sendable {
    var kind: HookTrigger.TriggerKind
    var fence: String?
    var device: String?
    /// The interval for whose hooks a position is an event.
    var interval: Duration?
    /// The previous state or receiver, and the new one.
    var from: String?
    var to: String?
    var reason: String?
    var coordinate: Coordinate?
    var accuracy: Double?
    /// The fence as seen from the position.
    var place: FencePlace?
    var time: Timestamp?
    /// The event as a line of JSON.
    var json: [UInt8] = []

    init(_ kind: HookTrigger.TriggerKind) { self.kind = kind }

    /// Notes the change that is the event.
    mutating func note(from: String?, to: String?, reason: String, at moment: Moment) {
        (self.from, self.to, self.reason, time) = (from, to, reason, moment.wall)
    }

    static let prefix = "LOCWATCH_"
    /// The length in bytes to which a value is cut, because the kernel starts no program with a much longer one.
    private static let longest = 4096

    /// Returns the environment of a hook: that of this program, with the data of the event in place of all variables that
    /// begin with `LOCWATCH_`, one of which may hold a password.
    func environment(_ inherited: [String: String], precision: Precision) -> [String: String] {
        var variables = inherited.filter { !$0.key.hasPrefix(Self.prefix) }
        variables["LOCWATCH_EVENT"] = kind.rawValue
        for (name, value) in values(precision) { variables["LOCWATCH_EVENT_" + name] = Self.passable(value) }
        return variables
    }

    private func values(_ precision: Precision) -> [(String, String)] {
        let known: [(String, String?)] = [
            ("FROM", from), ("TO", to), ("REASON", reason),
            ("LAT", coordinate.map { Self.text($0.latitude, precision) }),
            ("LON", coordinate.map { Self.text($0.longitude, precision) }),
            ("ACCURACY", accuracy.map { Self.text($0, .full) }),
            ("TIME", time.map { time in TextBuffer.text { $0.put(rfc3339: time) } }),
            ("FENCE", fence), ("DEVICE", device),
            ("DISTANCE", place?.distance.map { Self.text($0, .decimals(1)) }),
            ("BEARING", place?.bearing.map { Self.text($0, .decimals(1)) }),
        ]
        return known.compactMap { name, value in value.map { (name, $0) } }
    }

    private static func text(_ number: Double, _ precision: Precision) -> String {
        TextBuffer.text { text in
            switch precision {
            case .decimals(let decimals): text.put(trimmed: number, decimals: decimals)
            case .full: text.put(shortest: number)
            }
        }
    }

    /// Returns a value that a variable can hold: without a zero byte, and not too long.
    private static func passable(_ value: String) -> String {
        let bytes = value.utf8
        guard bytes.count > longest || bytes.contains(0) else { return value }
        return String(decoding: bytes.prefix(longest).filter { $0 != 0 }, as: UTF8.self)
    }

    package static let variables: [(term: String, meaning: String)] = [
        ("LOCWATCH_EVENT", "the event, as in found or enter"),
        (
            "LOCWATCH_EVENT_FROM, LOCWATCH_EVENT_TO",
            "the old and the new state or verdict, or of a handover the receivers"
        ),
        ("LOCWATCH_EVENT_REASON", "the reason of a change, as in JSON; several are separated by spaces"),
        (
            "LOCWATCH_EVENT_LAT, LOCWATCH_EVENT_LON",
            "the position in degrees, which for lost is the last one; unset if there is none"
        ),
        ("LOCWATCH_EVENT_ACCURACY", "the accuracy of the position in metres, if known"),
        ("LOCWATCH_EVENT_TIME", "the time of the event, or for every of the position, in UTC"),
        ("LOCWATCH_EVENT_FENCE", "the name of the fence"),
        (
            "LOCWATCH_EVENT_DISTANCE, LOCWATCH_EVENT_BEARING",
            "the distance in metres and the bearing in degrees of its centre from the position"
        ),
        (
            "LOCWATCH_EVENT_DEVICE",
            "the receiver, or the device of a fleet; unset for a fence in a session with one position"
        ),
    ]
}

extension HookTrigger {
    func matches(_ event: HookEvent) -> Bool {
        event.kind == kind && event.interval == interval && (fence == nil || fence == event.fence)
    }
}
