import LocwatchPlatform

/// The content of the beginning of an input, as far as its lines show it.
struct InputContent: Hashable {
    /// Whether there is a report of gpsd beyond its greeting.
    private(set) var hasReport = false
    /// Whether there is a line of gpsd's greeting: its release, its devices or its settings for the client.
    ///
    /// `gpspipe` writes it before anything else, also before what a receiver sends.
    private(set) var hasGreeting = false
    /// Whether there is a sentence or a binary message of a receiver outside of gpsd's lines.
    private(set) var hasMessage = false
    /// Whether there is anything else.
    private(set) var hasOther = false

    private static let greeting = ["VERSION", "DEVICES", "DEVICE", "WATCH"]
    /// The bytes with which gpsd begins its reports.
    private static let usual = Array(#"{"class":""#.utf8)

    /// Examines the lines of a beginning, of which the last one can be torn.
    init(_ beginning: [UInt8]) {
        var start = 0
        while start < beginning.count {
            let end = beginning.withUnsafeBytes { LineReader.newline(in: $0, from: start) } ?? beginning.count
            // Further reports tell nothing more.
            if !hasReport || !beginning[start..<end].starts(with: Self.usual) { examine(beginning[start..<end]) }
            start = end + 1
        }
    }

    private mutating func examine(_ line: ArraySlice<UInt8>) {
        // Lines of `#` are comments of the logs of gpsd's own tests, which quote JSON.
        let own = line.first == UInt8(ascii: "#") ? line : ArrivalStamp.withoutStamp(line)
        guard own.contains(where: { !InputFormat.isBlank($0) }) else { return }
        if own.first == UInt8(ascii: "{"), let name = Self.className(of: own) {
            if Self.greeting.contains(where: { name.elementsEqual($0.utf8) }) {
                hasGreeting = true
            } else {
                hasReport = true
            }
        } else if ReceiverBytes.beginsSentence(own) || Self.isBinaryMessage(own) {
            hasMessage = true
        } else {
            hasOther = true
        }
    }

    /// Returns the class of a report, or `nil` if a line has none.
    private static func className(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let key = line.withUnsafeBytes({ $0.range(of: #""class""#) }) else { return nil }
        var rest = line.dropFirst(key.upperBound).drop(while: InputFormat.isBlank)
        guard rest.popFirst() == UInt8(ascii: ":") else { return nil }
        rest = rest.drop(while: InputFormat.isBlank)
        guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
        return rest.prefix { $0 != UInt8(ascii: "\"") }
    }

    /// Returns whether bytes contain the beginning of a binary message, and are not text, in which it can occur too.
    private static func isBinaryMessage(_ line: ArraySlice<UInt8>) -> Bool {
        ReceiverBytes.binaryKind(of: line) != nil
            && (line.contains { $0 < 0x20 && !InputFormat.isBlank($0) }
                || String(validating: line, as: UTF8.self) == nil)
    }
}
