import LocationCore

/// The times of a report, each of which keeps its number of digits.
extension ReportMembers {
    /// Returns a line of gpsd with its times moved forward, or the same line if it is not a whole object.
    ///
    /// - Parameters:
    ///   - time: The shift of the times by the receiver's clock.
    ///   - activated: The shift of the times by the clock of gpsd's host.
    static func redating(
        _ line: ArraySlice<UInt8>, time: Duration, activated: Duration
    ) -> ArraySlice<UInt8> {
        guard var members = ReportMembers(line) else { return line }
        members.moveTime("time", nanoseconds: "nsec", by: time)
        members.moveTime("real_sec", nanoseconds: "real_nsec", by: time)
        members.moveTime("clock_sec", nanoseconds: "clock_nsec", by: activated)
        members.moveTime("activated", by: activated)
        members.edit("devices") { redating($0, time: time, activated: activated) }
        return members.text
    }

    /// Moves a time, which is a text, or seconds with a fraction or with a member for the nanoseconds.
    private mutating func moveTime(_ key: String, nanoseconds: String? = nil, by shift: Duration) {
        guard let old = self[key] else { return }
        if old.first == UInt8(ascii: "\"") {
            if let text = Self.moved(old.dropFirst().dropLast(), by: shift) { set(key, to: JSONText.quoted(text)) }
            return
        }
        let parts = old.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let seconds = Self.integer(parts[0]), seconds >= Self.earliestTime else { return }
        var total = Duration.seconds(seconds) + shift
        if parts.count == 1 {
            let rest = nanoseconds.flatMap { self[$0] }.flatMap { Self.integer($0) }
            total += .nanoseconds(min(rest ?? 0, 999_999_999))
            guard total >= .zero else { return }
            set(key, to: "\(total.components.seconds)")
            if let nanoseconds, rest != nil { set(nanoseconds, to: "\(total.nanosecondsOfSecond)") }
        } else {
            let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, 9 - parts[1].count))
            guard 1...9 ~= parts[1].count, let fraction = Self.integer(parts[1] + zeros) else { return }
            total += .nanoseconds(fraction)
            guard total >= .zero else { return }
            let digits = DecimalText.padded(total.nanosecondsOfSecond, to: 9).prefix(parts[1].count)
            set(key, to: "\(total.components.seconds).\(digits)")
        }
    }

    /// Smaller numbers of seconds since 1970 mean something else: a device with `"activated":0` is closed.
    private static let earliestTime = 100_000_000

    private static func moved(_ text: ArraySlice<UInt8>, by shift: Duration) -> String? {
        guard text.last == UInt8(ascii: "Z"), let time = text.withUnsafeBufferPointer({ Timestamp(utf8: $0) })
        else { return nil }
        let digits = text.firstIndex(of: UInt8(ascii: ".")).map { text.endIndex - $0 - 2 } ?? 0
        return time.advanced(by: shift).formatted(fractionDigits: digits)
    }

    /// Returns a number without a sign; longer ones than those of times could overflow.
    private static func integer(_ text: ArraySlice<UInt8>) -> Int? {
        guard 1...11 ~= text.count, text.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        return Int(String(decoding: text, as: UTF8.self))
    }
}

extension Duration {
    fileprivate var nanosecondsOfSecond: Int { Int(components.attoseconds / 1_000_000_000) }
}
