import LocationCore

/// The faults, which begin with the word `fault` or with the option `--fault`.
extension StandInWord {
    /// All faults, in the order of the help.
    package static let faults: [StandInWord] = [
        .lasting("lose", "the receiver has no fix") { .condition(.lost, $0) },
        .lasting("unplug", "the receiver is unplugged: its device is closed and silent") { .condition(.unplugged, $0) },
        .lasting("silence", "the daemon sends nothing, and the connections stay open") { .condition(.silent, $0) },
        .lasting("refuse", "connections are refused") { .condition(.refusing, $0) },
        .lasting("restart", "the daemon dies, and returns after DURATION (default 5s)") { .restart($0 ?? .seconds(5)) },
        .fault("hangup", "all connections are closed") { _ in .hangUp(.afterNext) },
        .fault("reset", "all connections are reset, so that unread data are lost") { _ in .reset(.afterNext) },
        .counted(
            "cut=BYTES", "the next line ends after BYTES (default: in its middle), without its line end", 1...65_536
        ) { StandInFault(.cut(bytes: $0), .beforeNext) },
        .counted("garbage=BYTES", "random bytes precede the next line (default 40)", 1...65_536) {
            StandInFault(.garbage(bytes: $0 ?? 40), .beforeNext)
        },
        .fault("utf8", "bytes that are not UTF-8 precede the next line") { _ in .invalidUTF8(.beforeNext) },
        .counted("long=BYTES", "a line of BYTES precedes the next one (default 70000)", 100...1_048_576) {
            StandInFault(.long(bytes: $0 ?? 70_000), .beforeNext)
        },
        .fault("delay=DURATION", "each line arrives later by DURATION") { (words) throws(SimulationError) in
            let expected = "delay=DURATION with a duration such as 500ms, at least 1ms"
            return StandInFault(.delay(try words.duration(expected, atLeast: .milliseconds(1))))
        },
        .counted("slow=BYTES", "BYTES are sent in a second (default 200)", 1...1_000_000) { count in
            let count = count ?? 200
            let chunk = max(1, count / 50)
            return .chunks(bytes: chunk, gap: .seconds(1) * chunk / count)
        },
        .fault("partial", "each epoch is reported in two parts, the first as a 2D fix") { _ in StandInFault(.partial) },
        .fault("version=RELEASE", "the greeting names another release (default 9.99)") {
            (words) throws(SimulationError) in
            let expected = "a release such as 3.25, of at most 40 letters, digits, points, hyphens and plus signs"
            guard words.hasMore else { return StandInFault(.release("9.99")) }
            let word = try words.word(expected)
            guard 1...40 ~= word.text.utf8.count, word.text.utf8.allSatisfy(isOfRelease) else {
                throw word.fault("expected \(expected)")
            }
            return StandInFault(.release(word.text))
        },
        .fault("ssh", "the greeting is that of an SSH server") { _ in .ssh },
        .fault("http", "the greeting is that of a web server") { _ in .http },
        .fault("mute", "connections are accepted and get nothing") { _ in .silent },
        .fault("close", "connections are accepted and closed at once") { _ in .closesAtOnce },
        .fault("deny", "each ?WATCH is answered with an error") { _ in .deniesWatch(message: "denied by a fault") },
        .counted("devices=N", "N devices are listed (default 5)", 1...1000) { .devices(count: $0 ?? 5) },
    ]

    private static func fault(
        _ usage: String, _ meaning: String,
        _ parse: @escaping @Sendable (inout WordReader) throws(SimulationError) -> StandInFault
    ) -> StandInWord {
        .doing(usage, meaning) { (words) throws(SimulationError) in
            .fault(try parse(&words), name: name(in: usage))
        }
    }

    private static func lasting(
        _ name: String, _ meaning: String, _ effect: @escaping @Sendable (Duration?) -> StandInEffect
    ) -> StandInWord {
        .fault("\(name)=DURATION", meaning) { (words) throws(SimulationError) in
            guard words.hasMore else { return StandInFault(effect(nil)) }
            let expected =
                "\(name), or \(name)=DURATION with a duration such as 250ms, 10s, 5m or 1h, at least 1ms"
            return StandInFault(effect(try words.duration(expected, atLeast: .milliseconds(1))))
        }
    }

    private static func counted(
        _ usage: String, _ meaning: String, _ range: ClosedRange<Int>,
        _ fault: @escaping @Sendable (Int?) -> StandInFault
    ) -> StandInWord {
        .fault(usage, meaning) { (words) throws(SimulationError) in
            fault(words.hasMore ? try words.number("a whole number", in: range) : nil)
        }
    }

    private static func isOfRelease(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            || "-.+".utf8.contains(byte)
    }
}
