extension JSONScanner {
    /// The location of a string's content between its quotation marks.
    struct StringSpan {
        var first: Cursor
        var count: Int
        var hasEscapes: Bool
        /// The byte after the closing quotation mark.
        var after: Cursor { first + count + 1 }
    }

    /// Returns the span of the string whose content begins at a cursor, after validating its escapes and characters.
    @inline(never)
    func stringSpan(from first: Cursor) throws(ReportError) -> StringSpan {
        var cursor = first
        var hasEscapes = false
        while true {
            let word = JSONScanner.word(cursor)
            let controls = (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080
            let marks =
                JSONScanner.bytes(of: word, equalTo: 0x2222_2222_2222_2222)
                | JSONScanner.bytes(of: word, equalTo: 0x5C5C_5C5C_5C5C_5C5C) | controls
            if marks == 0 {
                // None of the eight bytes is a control character or zero, so they are before the end.
                cursor += 8
                continue
            }
            cursor += marks.trailingZeroBitCount >> 3
            switch cursor.pointee {
            case UInt8(ascii: "\""): return StringSpan(first: first, count: cursor - first, hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                cursor = try afterEscape(cursor)
            default: throw failure(at: cursor, .badString)
            }
        }
    }

    private func afterEscape(_ backslash: Cursor) throws(ReportError) -> Cursor {
        let letter = backslash + 1
        switch letter.pointee {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return letter + 1
        case UInt8(ascii: "u"):
            for index in 1...4 where JSONScanner.hexDigit(letter[index]) == nil {
                throw failure(at: letter + index, .badEscape)
            }
            return letter + 5
        default: throw failure(at: letter, .badEscape)
        }
    }

    private static func hexDigit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// Returns the text of a string; invalid UTF-8 and unpaired surrogates become U+FFFD.
    @inline(never)
    static func string(_ span: StringSpan) -> String {
        let bytes = UnsafeBufferPointer(start: span.first, count: span.count)
        return span.hasEscapes ? unescaped(bytes) : String(decoding: bytes, as: UTF8.self)
    }

    // `stringSpan` has validated the escapes: each backslash is followed by its letter, each u by four digits.
    private static func unescaped(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                text.append(bytes[index])
                index += 1
                continue
            }
            switch bytes[index + 1] {
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                var units = [codeUnit(bytes, at: index + 2)]
                if UTF16.isLeadSurrogate(units[0]), index + 11 < bytes.count, bytes[index + 6] == UInt8(ascii: "\\"),
                    bytes[index + 7] == UInt8(ascii: "u")
                {
                    let second = codeUnit(bytes, at: index + 8)
                    if UTF16.isTrailSurrogate(second) {
                        units.append(second)
                        index += 6
                    }
                }
                text.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
                index += 4
            default: text.append(bytes[index + 1])
            }
            index += 2
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func codeUnit(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt16 {
        var unit: UInt16 = 0
        for digit in bytes[index..<index + 4] { unit = unit << 4 | (hexDigit(digit) ?? 0) }
        return unit
    }
}
