extension JSONScanner {
    /// Reads the members of an object up to and with its closing brace, after its opening brace or after a member.
    ///
    /// - Parameter classWord: The class that the object is read as, as the word of its name; another one under the key
    ///   `class` ends the reading. Zero where the class is settled.
    /// - Returns: Whether the object was read; `false` when it turned out to be of another class.
    @inline(__always)
    mutating func members<Object: KeyedObject>(
        of object: inout Object, keys: KeyTable<Object.Key>, with memory: inout DecoderMemory,
        classWord: UInt64 = 0, isFirst: Bool = true
    ) throws(ReportError) -> Bool {
        var isFirst = isFirst
        // Whether a known key's value was kept as an unknown one: a later one under the same key replaces it.
        var hasMisfits = false
        while true {
            if isFirst {
                isFirst = false
                skipSpace()
                if cursor.pointee == UInt8(ascii: "}") {
                    cursor += 1
                    return true
                }
            } else {
                if cursor.pointee != UInt8(ascii: ",") {
                    skipSpace()
                    if cursor.pointee == UInt8(ascii: "}") {
                        cursor += 1
                        return true
                    }
                    guard cursor.pointee == UInt8(ascii: ",") else { throw failure(at: cursor) }
                }
                cursor += 1
                skipSpace()
            }
            guard cursor.pointee == UInt8(ascii: "\"") else { throw failure(at: cursor) }
            cursor += 1

            // The key, as two words. A known key has at most 15 bytes and none that needs an escape.
            var low = JSONScanner.word(cursor)
            var high: UInt64 = 0
            let mark = JSONScanner.bytes(of: low, equalTo: KeyWords.ofQuotes)
            var after = cursor
            if mark != 0 {
                low &= ((mark & (0 &- mark)) >> 7) &- 1
                after += mark.trailingZeroBitCount >> 3 + 1
            } else {
                high = JSONScanner.word(cursor + 8)
                let mark = JSONScanner.bytes(of: high, equalTo: KeyWords.ofQuotes)
                high = mark == 0 ? KeyWords.ofQuotes : high & (((mark & (0 &- mark)) >> 7) &- 1)
                after += 8 + mark.trailingZeroBitCount >> 3 + 1
            }
            var key = keys.find(low, high)
            if key == nil, low != KeyWords.ofClass || high != 0 {
                // Unknown, or written with escapes.
                let span = try stringSpan(from: cursor)
                after = span.after
                if span.hasEscapes, let words = KeyWords(JSONScanner.string(span).utf8) {
                    (low, high) = (words.low, words.high)
                    key = keys.find(low, high)
                }
            }
            let name = cursor
            cursor = after
            try expect(UInt8(ascii: ":"))
            skipSpace()
            if let key {
                try object.read(key, from: &self, with: &memory)
                if isMisfit {
                    isMisfit = false
                    hasMisfits = true
                    cursor = try kept(key.rawValue, at: cursor, with: &memory)
                } else if hasMisfits {
                    memory.forget(key.rawValue)
                }
            } else if low == KeyWords.ofClass, high == 0 {
                let value = cursor
                cursor = try skipped(from: value)
                if classWord != 0, JSONScanner.className(at: value, cursor) != classWord { return false }
            } else {
                cursor = try kept(JSONScanner.string(try stringSpan(from: name)), at: cursor, with: &memory)
            }
        }
    }

    /// A short string without escapes as a word, 0 for anything else.
    private static func className(at value: Cursor, _ after: Cursor) -> UInt64 {
        guard value.pointee == UInt8(ascii: "\""), 1...8 ~= after - value - 2 else { return 0 }
        return KeyWords(UnsafeBufferPointer(start: value + 1, count: after - value - 2))?.low ?? 0
    }

    /// Steps over a value that has no place, keeping its text.
    @inline(never)
    private func kept(
        _ name: String, at value: Cursor, with memory: inout DecoderMemory
    ) throws(ReportError) -> Cursor {
        let after = try skipped(from: value)
        if isAtNull(value) {
            memory.forget(name)
        } else {
            let text = String(decoding: UnsafeBufferPointer(start: value, count: after - value), as: UTF8.self)
            memory.keep(name, JSONFragment(text))
        }
        return after
    }

    private func isAtNull(_ value: Cursor) -> Bool { value.pointee == UInt8(ascii: "n") }
}

extension DecoderMemory {
    private func path(_ name: String) -> String { satellite < 0 ? name : "satellites[\(satellite)].\(name)" }

    fileprivate mutating func keep(_ name: String, _ value: JSONFragment) { unknown[path(name)] = value }

    @inline(never)
    fileprivate mutating func forget(_ name: String) { unknown[path(name)] = nil }
}
