extension JSONScanner {
    /// The maximum nesting of objects and lists in a skipped value.
    static let maximumDepth = 1024

    /// Skips and validates a value of any type, without recursion, in time linear in its length.
    @inline(never)
    func skipped(from cursor: Cursor) throws(ReportError) -> Cursor {
        var cursor = JSONScanner.afterSpace(cursor)
        var depth = 0
        // One bit per level: whether the level is an object.
        var levels = InlineArray<16, UInt64>(repeating: 0)
        while true {
            switch cursor.pointee {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard depth < JSONScanner.maximumDepth else { throw ReportError(.tooDeep, offset: cursor - start) }
                let isObject = cursor.pointee == UInt8(ascii: "{")
                let bit: UInt64 = 1 << UInt64(depth & 63)
                if isObject { levels[depth >> 6] |= bit } else { levels[depth >> 6] &= ~bit }
                depth += 1
                cursor = JSONScanner.afterSpace(cursor + 1)
                if cursor.pointee == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    depth -= 1
                    cursor += 1
                } else {
                    if isObject { cursor = try skippedKey(from: cursor) }
                    continue
                }
            case UInt8(ascii: "\""): cursor = try stringSpan(from: cursor + 1).after
            case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): cursor = try skippedWord(from: cursor)
            default:
                guard let number = try decimal(at: cursor) else { throw failure(at: cursor) }
                cursor = number.after
            }
            // After a value, close levels until another value follows.
            while true {
                if depth == 0 { return cursor }
                cursor = JSONScanner.afterSpace(cursor)
                let isObject = levels[(depth - 1) >> 6] >> UInt64((depth - 1) & 63) & 1 == 1
                if cursor.pointee == UInt8(ascii: ",") {
                    cursor = JSONScanner.afterSpace(cursor + 1)
                    if isObject { cursor = try skippedKey(from: cursor) }
                    break
                }
                guard cursor.pointee == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw failure(at: cursor)
                }
                depth -= 1
                cursor += 1
            }
        }
    }

    /// Skips a key, its colon and white space.
    private func skippedKey(from cursor: Cursor) throws(ReportError) -> Cursor {
        guard cursor.pointee == UInt8(ascii: "\"") else { throw failure(at: cursor) }
        let colon = JSONScanner.afterSpace(try stringSpan(from: cursor + 1).after)
        guard colon.pointee == UInt8(ascii: ":") else { throw failure(at: colon) }
        return JSONScanner.afterSpace(colon + 1)
    }

    private func skippedWord(from cursor: Cursor) throws(ReportError) -> Cursor {
        let word: StaticString =
            switch cursor.pointee {
            case UInt8(ascii: "t"): "true"
            case UInt8(ascii: "f"): "false"
            default: "null"
            }
        // The zero after the line's end equals no letter, so the comparison stops there.
        for index in 0..<word.utf8CodeUnitCount where cursor[index] != word.utf8Start[index] {
            throw failure(at: cursor + index)
        }
        return cursor + word.utf8CodeUnitCount
    }
}
