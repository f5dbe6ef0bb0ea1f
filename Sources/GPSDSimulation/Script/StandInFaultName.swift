import LocationCore

/// A named fault: one entry of the table from which the parser, the help and the completions are derived.
package struct StandInFaultName: Sendable {
    package let name: String
    /// The placeholder of the value, or `nil` for a fault without one.
    package let placeholder: String?
    package let meaning: String
    /// The values that are allowed.
    let allowed: String
    /// Returns the fault for a value, or for the default if there is none; `nil` if the value is not allowed.
    let fault: @Sendable (String?) -> StandInFault?

    /// The fault as the help shows it.
    package var usage: String { name + (placeholder.map { "=\($0)" } ?? "") }

    /// All faults, in the order of the help.
    package static let all: [StandInFaultName] = [
        .duration("lose", "the receiver has no fix") { StandInFault(.condition(.lost, $0)) },
        .duration("unplug", "the receiver is unplugged: its device is closed and silent") {
            StandInFault(.condition(.unplugged, $0))
        },
        .duration("silence", "the daemon sends nothing, and the connections stay open") {
            StandInFault(.condition(.silent, $0))
        },
        .duration("refuse", "connections are refused") { StandInFault(.condition(.refusing, $0)) },
        .duration("restart", "the daemon dies, and returns after DURATION (default 5s)") {
            StandInFault(.restart($0 ?? .seconds(5)))
        },
        .plain("hangup", "all connections are closed") { .hangUp(.afterNext) },
        .plain("reset", "all connections are reset, so that unread data are lost") { .reset(.afterNext) },
        .bytes("cut", "the next line ends after BYTES (default: in its middle), without its line end", 1...65_536) {
            StandInFault(.cut(bytes: $0), .beforeNext)
        },
        .bytes("garbage", "random bytes precede the next line (default 40)", 1...65_536) {
            StandInFault(.garbage(bytes: $0 ?? 40), .beforeNext)
        },
        .plain("utf8", "bytes that are not UTF-8 precede the next line") { .invalidUTF8(.beforeNext) },
        .bytes("long", "a line of BYTES precedes the next one (default 70000)", 100...1_048_576) {
            StandInFault(.long(bytes: $0 ?? 70_000), .beforeNext)
        },
        StandInFaultName(
            name: "delay", placeholder: "DURATION", meaning: "each line arrives later by DURATION",
            allowed: "delay=DURATION with a duration such as 500ms, at least 1ms"
        ) { text in
            text.flatMap(Self.positive).map { StandInFault(.delay($0)) }
        },
        .bytes("slow", "BYTES are sent in a second (default 200)", 1...1_000_000) { count in
            let count = count ?? 200
            let chunk = max(1, count / 50)
            return .chunks(bytes: chunk, gap: .seconds(1) * chunk / count)
        },
        .plain("partial", "each epoch is reported in two parts, the first as a 2D fix") { StandInFault(.partial) },
        StandInFaultName(
            name: "version", placeholder: "RELEASE", meaning: "the greeting names another release (default 9.99)",
            allowed: "a release such as 3.25, of at most 40 letters, digits, points, hyphens and plus signs"
        ) { text in
            let isFit = text?.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || "-.+".utf8.contains(byte)
            }
            guard isFit != false, 1...40 ~= (text ?? "9.99").utf8.count else { return nil }
            return StandInFault(.release(text ?? "9.99"))
        },
        .plain("ssh", "the greeting is that of an SSH server") { .ssh },
        .plain("http", "the greeting is that of a web server") { .http },
        .plain("mute", "connections are accepted and get nothing") { .silent },
        .plain("close", "connections are accepted and closed at once") { .closesAtOnce },
        .plain("deny", "each ?WATCH is answered with an error") {
            .deniesWatch(message: "denied by a fault")
        },
        .bytes("devices", "N devices are listed (default 5)", placeholder: "N", 1...1000) {
            .devices(count: $0 ?? 5)
        },
    ]

    /// Returns the duration if it is at least a millisecond.
    static func positive(_ text: String) -> Duration? {
        DurationText.read(text).flatMap { $0 >= .milliseconds(1) ? $0 : nil }
    }

    private static func plain(
        _ name: String, _ meaning: String, _ fault: @escaping @Sendable () -> StandInFault
    ) -> StandInFaultName {
        StandInFaultName(name: name, placeholder: nil, meaning: meaning, allowed: "\(name) without a value") { text in
            text == nil ? fault() : nil
        }
    }

    private static func duration(
        _ name: String, _ meaning: String, _ fault: @escaping @Sendable (Duration?) -> StandInFault
    ) -> StandInFaultName {
        StandInFaultName(
            name: name, placeholder: "DURATION", meaning: meaning,
            allowed: "\(name), or \(name)=DURATION with a duration such as 250ms, 10s, 5m or 1h, at least 1ms"
        ) { text in
            guard let text else { return fault(nil) }
            return positive(text).map(fault)
        }
    }

    private static func bytes(
        _ name: String, _ meaning: String, placeholder: String = "BYTES", _ range: ClosedRange<Int>,
        _ fault: @escaping @Sendable (Int?) -> StandInFault
    ) -> StandInFaultName {
        StandInFaultName(
            name: name, placeholder: placeholder, meaning: meaning,
            allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)"
        ) { text in
            guard let text else { return fault(nil) }
            guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let count = Int(text), range ~= count else { return nil }
            return fault(count)
        }
    }
}
