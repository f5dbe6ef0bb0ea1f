/// The order of the keys in the last satellites, in which those of the next one are expected.
///
/// gpsd writes the keys in one order, and leaves out those whose values it does not know, so each of them may be absent. The order is
/// one number, which stays in a register: four bits for each key, the first one lowest, and 0 after the last.
struct SatelliteOrder: Sendable {
    private(set) var keys: UInt64 = 0

    /// Moves a key to the place before those of `rest`, the keys that follow the last one that was read.
    ///
    /// - Returns: The keys after it.
    mutating func expect(_ key: SatelliteKey, before rest: UInt64) -> UInt64 {
        let number = UInt64(Step.number(of: key))
        var (left, order, bits) = (keys, UInt64(0), UInt64(0))
        func append(_ number: UInt64) {
            order |= number << bits
            bits += 4
        }
        while left != rest {
            if left & 15 != number { append(left & 15) }
            left >>= 4
        }
        append(number)
        let after = bits
        while left != 0 {
            if left & 15 != number { append(left & 15) }
            left >>= 4
        }
        keys = order
        return order >> after
    }

    /// A key as it appears in a satellite.
    struct Step: Sendable {
        /// The key with its quotation marks, and the bytes of a word that it covers.
        let text: UInt64
        let mask: UInt64
        /// The number of bytes with the colon.
        let length: Int
        let key: SatelliteKey

        /// The steps by their numbers.
        ///
        /// The first one is that after the last key: it fits no text, because all of its bytes are outside its mask.
        static let all = StaticBuffer(
            [Step(text: .max, mask: 0, length: 0, key: .used)] + SatelliteKey.allCases.map { Step($0) })

        static func number(of key: SatelliteKey) -> Int {
            var number = 1
            for other in SatelliteKey.allCases {
                if other == key { break }
                number += 1
            }
            return number
        }
    }
}

extension SatelliteOrder.Step {
    private init(_ key: SatelliteKey) {
        let bytes = "\"\(key.rawValue)\"".utf8
        guard bytes.count <= 8, let words = KeyWords(bytes) else {
            preconditionFailure("the key \(key) is longer than six bytes")
        }
        text = words.low
        mask = bytes.count == 8 ? .max : 1 << UInt64(bytes.count * 8) - 1
        length = bytes.count + 1
        self.key = key
    }
}
