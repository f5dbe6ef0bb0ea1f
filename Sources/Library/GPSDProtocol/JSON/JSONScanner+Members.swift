extension JSONScanner {
    /// Reads the members of an object and its closing brace, starting after its opening brace or after a member.
    ///
    /// - Parameter classWord: The class that the object is read as, as the word of its name; another one under the key
    ///   `class` ends the reading. Zero if the class is settled.
    /// - Parameter order: The expected order of the keys.
    /// - Returns: Whether the object was read; `false` if it turned out to be of another class.
    @inline(__always)
    mutating func members<Object: KeyedObject>(
        of object: inout Object, keys: KeyTable<Object.Key>, in order: inout KeyOrder,
        with cache: inout DecoderCache, classWord: UInt64 = 0, isFirst: Bool = true
    ) throws(ReportError) -> Bool {
        cache.numbers.removeAll()
        var isFirst = isFirst
        var place = 0
        while true {
            if isFirst {
                isFirst = false
                skipSpace()
                if cursor.pointee == UInt8(ascii: "}") {
                    cursor += 1
                    object.take(from: &cache)
                    return true
                }
            } else {
                if cursor.pointee != UInt8(ascii: ",") {
                    skipSpace()
                    if cursor.pointee == UInt8(ascii: "}") {
                        cursor += 1
                        object.take(from: &cache)
                        return true
                    }
                    guard cursor.pointee == UInt8(ascii: ",") else { throw failure(at: cursor) }
                }
                cursor += 1
                skipSpace()
            }

            // Try the key that is expected here before any other.
            let expected = order[after: place]
            let entry = keys.entries.first + expected
            var key: Object.Key? = nil
            var name: StringSpan? = nil
            if entry.pointee.text.isAt(cursor) {
                cursor += entry.pointee.text.count
                key = entry.pointee.key
                place = expected &+ 1
            } else {
                guard cursor.pointee == UInt8(ascii: "\"") else { throw failure(at: cursor) }
                let (found, span) = try found(at: cursor + 1, in: keys)
                name = span
                cursor = span.after
                try expect(UInt8(ascii: ":"))
                if let found {
                    key = (keys.entries.first + found).pointee.key
                    order[after: place] = found
                    place = found &+ 1
                }
            }
            skipSpace()
            if let key {
                try object.read(key, from: &self, with: &cache)
                if isMisfit {
                    isMisfit = false
                    cursor = try skipped(from: cursor)
                }
            } else if let name, JSONScanner.isClass(name) {
                let value = cursor
                cursor = try skipped(from: value)
                if classWord != 0, JSONScanner.className(at: value, cursor) != classWord { return false }
            } else {
                cursor = try skipped(from: cursor)
            }
        }
    }

    /// Returns the entry of the key that begins at a cursor, if it is known, and its span.
    @inline(never)
    func found<Key>(
        at first: Cursor, in keys: KeyTable<Key>
    ) throws(ReportError) -> (Int?, StringSpan) {
        var words = KeyWords()
        words.low = JSONScanner.word(first)
        var mark = JSONScanner.bytes(of: words.low, equalTo: KeyWords.ofQuotes)
        var count = mark.trailingZeroBitCount >> 3
        if mark != 0 {
            words.low &= ((mark & (0 &- mark)) >> 7) &- 1
        } else {
            words.high = JSONScanner.word(first + 8)
            mark = JSONScanner.bytes(of: words.high, equalTo: KeyWords.ofQuotes)
            words.high &= ((mark & (0 &- mark)) >> 7) &- 1
            count = 8 + mark.trailingZeroBitCount >> 3
        }
        // A known key has no backslash, so the quotation mark after it is its end.
        if mark != 0, let entry = keys.find(words.low, words.high, count: count) {
            return (entry, StringSpan(first: first, count: count, hasEscapes: false))
        }
        let span = try stringSpan(from: first)
        guard span.hasEscapes else { return (nil, span) }
        let key = JSONScanner.string(span).utf8
        guard let words = KeyWords(key) else { return (nil, span) }
        return (keys.find(words.low, words.high, count: key.count), span)
    }

    /// Returns a short string without escapes as a word, or 0 for anything else.
    private static func className(at value: Cursor, _ after: Cursor) -> UInt64 {
        guard value.pointee == UInt8(ascii: "\""), 1...8 ~= after - value - 2 else { return 0 }
        return KeyWords(UnsafeBufferPointer(start: value + 1, count: after - value - 2))?.low ?? 0
    }
}
