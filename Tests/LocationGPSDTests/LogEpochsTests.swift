import TestSupport
import Testing

@testable import LocationGPSD

@Suite struct LogEpochsTests {
    private static let epochs = [
        "$GPGLL,4812.1,N,01622.2,E,120000,A*00\r\n$GPGGA,120000,4812.1,N,01622.2,E*00\r\n$GPGSA,A,3*00\r\n",
        "$GNGGA,120001,4812.1,N,01622.2,E*00\r\n$GNGSA,A,3*00\r\n$GNGSA,A,3*00\r\n",
        "$GNGNS,120002.5,4812.1,N,01622.2,E*00\r\n", "$GNGGA,120003,4812.1,N,01622.2,E*00\r\n",
    ]

    /// Returns the bytes of each epoch of a log that comes in pieces.
    private func divide(_ text: String, in size: Int) -> [String] {
        var (epochs, found) = (LogEpochs(), [[UInt8]]())
        for piece in Array(text.utf8).pieces(of: size) {
            var rest = ArraySlice(Array(piece))
            while !rest.isEmpty {
                let (length, isFirst) = epochs.next(of: rest)
                guard length > 0, length <= rest.count else { return ["a length of \(length)"] }
                if isFirst || found.isEmpty { found.append([]) }
                found[found.count - 1] += rest.prefix(length)
                rest = rest.dropFirst(length)
            }
        }
        return found.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `a log is divided where the time of a sentence changes`() {
        let text = Self.epochs.joined()
        for size in [text.utf8.count, 2048] { #expect(divide(text, in: size) == Self.epochs) }
    }

    @Test func `each epoch begins before its first sentence ends, wherever the log is torn`() {
        let text = Self.epochs.joined()
        for size in 1..<text.utf8.count {
            var found = divide(text, in: size)
            // The beginning of the first sentence comes before its time.
            if !found[0].contains("*") { found.replaceSubrange(..<2, with: [found[0] + found[1]]) }
            #expect(found.count == Self.epochs.count && found.joined() == text, "in pieces of \(size): \(found)")
            // The whole sentences of an epoch, from which gpsd makes reports, are in no other one.
            for (epoch, expected) in zip(found, Self.epochs) {
                let whole = Set(expected.split(separator: "\r\n"))
                let own = epoch.split(separator: "\r\n").filter { $0.hasPrefix("$") && $0.hasSuffix("*00") }
                #expect(whole.isSuperset(of: own), "in pieces of \(size)")
            }
        }
    }

    @Test(arguments: [
        "$", "$$$$", "$GPGGA", "$GPGGA,", "$GPGGA,,,\r\n", "$GPGLL,,,,,\r\n", "$GPGGA\r\n,120000,\r\n",
        "\u{1}\u{2}$\u{3}", "Dear diary,\nnothing happened\n", "$PGRMT,120000,x\r\n",
    ])
    func `bytes without a time are one epoch`(text: String) {
        for size in 1...text.utf8.count { #expect(divide(text, in: size) == [text], "in pieces of \(size)") }
        var epochs = LogEpochs()
        _ = epochs.next(of: Array(text.utf8)[...])
        #expect(!epochs.isKnown)
    }
}
