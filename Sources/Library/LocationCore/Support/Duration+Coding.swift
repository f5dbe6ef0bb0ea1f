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
