import LocationCore

/// A named fault: one entry of the table from which the parser, the help and the completions are derived.
package struct StandInFaultName: Sendable {
    package let name: String
    /// The placeholder of the value, or `nil` for a fault without one.
    package let placeholder: String?
    package let meaning: String
    /// The values that are allowed.
    let allowed: String
    /// Returns the effect for a value, or for the default if there is none; `nil` if the value is not allowed.
    let effect: @Sendable (String?) -> StandInEffect?

    /// The fault as the help shows it.
    package var usage: String { name + (placeholder.map { "=\($0)" } ?? "") }

    /// All faults, in the order of the help.
    package static let all: [StandInFaultName] = [
        .duration("lose", "the receiver has no fix") { .condition(.lost, $0) },
        .duration("unplug", "the receiver is unplugged: its device is closed and silent") {
            .condition(.unplugged, $0)
        },
        .duration("silence", "the daemon sends nothing, and the connections stay open") { .condition(.silent, $0) },
        .duration("refuse", "connections are refused") { .condition(.refusing, $0) },
        .duration("restart", "the daemon dies, and returns after DURATION (default 5s)") {
            .restart($0 ?? .seconds(5))
        },
        .plain("hangup", "all connections are closed") { .hangUp(reset: false) },
        .plain("reset", "all connections are reset, so that unread data are lost") { .hangUp(reset: true) },
        .bytes("cut", "the next line ends after BYTES (default: in its middle), without its line end", 1...65_536) {
            .cut(bytes: $0)
        },
        .bytes("garbage", "random bytes precede the next line (default 40)", 1...65_536) {
            .garbage(bytes: $0 ?? 40)
        },
        .plain("utf8", "bytes that are not UTF-8 precede the next line") { .insert([0xFF, 0xC3]) },
        .bytes("long", "a line of BYTES precedes the next one (default 70000)", 100...1_048_576) {
            .long(bytes: $0 ?? 70_000)
        },
        StandInFaultName(
            name: "delay", placeholder: "DURATION", meaning: "each line arrives later by DURATION",
            allowed: "delay=DURATION with a duration such as 500ms, at least 1ms"
        ) { text in
            text.flatMap(Self.positive).map { .delay($0) }
        },
        .bytes("slow", "BYTES are sent in a second (default 200)", 1...1_000_000) { count in
            let count = count ?? 200
            let chunk = max(1, count / 50)
            return .lasting(.chunks(bytes: chunk, gap: .seconds(1) * chunk / count))
        },
        .plain("partial", "each epoch is reported in two parts, the first as a 2D fix") { .partial },
        StandInFaultName(
            name: "version", placeholder: "RELEASE", meaning: "the greeting names another release (default 9.99)",
            allowed: "a release such as 3.25, of at most 40 letters, digits, points, hyphens and plus signs"
        ) { text in
            let isFit = text?.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || "-.+".utf8.contains(byte)
            }
            guard isFit != false, 1...40 ~= (text ?? "9.99").utf8.count else { return nil }
            return .release(text ?? "9.99")
        },
        .plain("ssh", "the greeting is that of an SSH server") { .lasting(.ssh) },
        .plain("http", "the greeting is that of a web server") { .lasting(.http) },
        .plain("mute", "connections are accepted and get nothing") { .lasting(.silent) },
        .plain("close", "connections are accepted and closed at once") { .lasting(.closesAtOnce) },
        .plain("deny", "each ?WATCH is answered with an error") {
            .lasting(.deniesWatch(message: "denied by a fault"))
        },
        .bytes("devices", "N devices are listed (default 5)", placeholder: "N", 1...1000) {
            .lasting(.devices(count: $0 ?? 5))
        },
    ]

    /// Returns the duration if it is at least a millisecond.
    static func positive(_ text: String) -> Duration? {
        DurationText.read(text).flatMap { $0 >= .milliseconds(1) ? $0 : nil }
    }

    private static func plain(
        _ name: String, _ meaning: String, _ effect: @escaping @Sendable () -> StandInEffect
    ) -> StandInFaultName {
        StandInFaultName(name: name, placeholder: nil, meaning: meaning, allowed: "\(name) without a value") { text in
            text == nil ? effect() : nil
        }
    }

    private static func duration(
        _ name: String, _ meaning: String, _ effect: @escaping @Sendable (Duration?) -> StandInEffect
    ) -> StandInFaultName {
        StandInFaultName(
            name: name, placeholder: "DURATION", meaning: meaning,
            allowed: "\(name), or \(name)=DURATION with a duration such as 250ms, 10s, 5m or 1h, at least 1ms"
        ) { text in
            guard let text else { return effect(nil) }
            return positive(text).map(effect)
        }
    }

    private static func bytes(
        _ name: String, _ meaning: String, placeholder: String = "BYTES", _ range: ClosedRange<Int>,
        _ effect: @escaping @Sendable (Int?) -> StandInEffect?
    ) -> StandInFaultName {
        StandInFaultName(
            name: name, placeholder: placeholder, meaning: meaning,
            allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)"
        ) { text in
            guard let text else { return effect(nil) }
            guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let count = Int(text), range ~= count else { return nil }
            return effect(count)
        }
    }
}
