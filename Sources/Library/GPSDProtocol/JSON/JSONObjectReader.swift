/// A reader of the members of one JSON object of any kind, such as a message of a broker.
///
/// Any input gives the members or an error, in time linear in its length. Keep a reader for all messages of a session: it
/// reuses its buffer.
package struct JSONObjectReader: Sendable {
    private var buffer = PaddedBuffer(keptCapacity: 1 << 16)

    package init() {}

    /// Reads an object, and calls `member` with the key and the value of each member in order.
    ///
    /// White space around the object is ignored; anything else after it is an error. Objects and lists in it are `.nested`.
    package mutating func read(
        _ bytes: UnsafeRawBufferPointer, _ member: (String, JSONValue) -> Void
    ) throws(ReportError) {
        guard !bytes.isEmpty else { throw ReportError(.empty, offset: 0) }
        try buffer.withCopy(of: bytes) { (start) throws(ReportError) in
            var scanner = JSONScanner(start: start, count: bytes.count)
            try scanner.object(member)
        }
    }
}

extension JSONObjectReader {
    /// Returns the length of the value with which a text begins, or `nil` if it is not whole.
    package static func length(ofValueIn text: some Sequence<UInt8>) -> Int? {
        var buffer = PaddedBuffer(keptCapacity: 0)
        return Array(text).withUnsafeBytes { text in
            buffer.withCopy(of: text) { start in
                (try? JSONScanner(start: start, count: text.count).skipped(from: start)).map { $0 - start }
            }
        }
    }
}

extension JSONScanner {
    fileprivate mutating func object(_ member: (String, JSONValue) -> Void) throws(ReportError) {
        try expect(UInt8(ascii: "{"))
        try elements(until: UInt8(ascii: "}")) { (scanner) throws(ReportError) in
            let key = try scanner.key()
            member(key, try scanner.value(levels: 0))
        }
        skipSpace()
        guard cursor >= end else { throw failure(at: cursor) }
    }

    /// Reads the elements of a list or the members of an object, after its opening bracket, up to its closing one.
    mutating func elements(
        until end: UInt8, _ element: (inout JSONScanner) throws(ReportError) -> Void
    ) throws(ReportError) {
        skipSpace()
        if cursor.pointee == end {
            cursor += 1
            return
        }
        while true {
            try element(&self)
            skipSpace()
            if cursor.pointee == end {
                cursor += 1
                return
            }
            try expect(UInt8(ascii: ","))
        }
    }

    /// Reads the key of a member and the colon after it.
    mutating func key() throws(ReportError) -> String { JSONScanner.string(try keySpan()) }

    mutating func keySpan() throws(ReportError) -> StringSpan {
        skipSpace()
        guard isAtString else { throw failure(at: cursor) }
        let key = try stringSpan(from: cursor + 1)
        cursor = key.after
        try expect(UInt8(ascii: ":"))
        return key
    }
}
