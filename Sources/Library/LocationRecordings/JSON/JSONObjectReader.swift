/// A reader of the members of one JSON object of any kind, such as a message of a broker.
///
/// Any input gives the members or an error, in time linear in its length. Keep a reader for all messages of a session: it
/// reuses its buffer.
package struct JSONObjectReader: Sendable {
    package enum Value: Hashable, Sendable {
        /// A number; one beyond the range of `Double` is infinite.
        case number(Double)
        case text(String)
        case flag(Bool)
        case null
        /// An object or a list, which is validated but not read.
        case nested

        /// The number, if the value is one that is finite.
        package var number: Double? { if case .number(let number) = self, number.isFinite { number } else { nil } }
        /// The text, if the value is one.
        package var text: String? { if case .text(let text) = self { text } else { nil } }
        /// The Boolean, if the value is one.
        package var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    }

    private var buffer = PaddedBuffer(keptCapacity: 1 << 16)

    package init() {}

    /// Reads an object, and calls `member` with the key and the value of each member in order.
    ///
    /// White space around the object is ignored; anything else after it is an error.
    package mutating func read(
        _ bytes: UnsafeRawBufferPointer, _ member: (String, Value) -> Void
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
    fileprivate mutating func object(_ member: (String, JSONObjectReader.Value) -> Void) throws(ReportError) {
        try expect(UInt8(ascii: "{"))
        try elements(until: UInt8(ascii: "}")) { (scanner) throws(ReportError) in
            let key = try scanner.key()
            scanner.skipSpace()
            member(key, try scanner.value())
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

    private mutating func text() throws(ReportError) -> String {
        let span = try stringSpan(from: cursor + 1)
        cursor = span.after
        return JSONScanner.string(span)
    }

    /// Reads a value, and skips an object or a list.
    mutating func value() throws(ReportError) -> JSONObjectReader.Value {
        switch cursor.pointee {
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            cursor = try skipped(from: cursor)
            return .nested
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            let first = cursor.pointee
            cursor = try skipped(from: cursor)
            return first == UInt8(ascii: "n") ? .null : .flag(first == UInt8(ascii: "t"))
        default:
            guard let number = try number() else { throw failure(at: cursor) }
            return .number(number)
        }
    }
}
