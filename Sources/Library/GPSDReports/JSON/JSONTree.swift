/// A JSON value of any kind, with the values in it.
///
/// Any input gives a value or `nil`, in time linear in its length. `JSONObjectReader` is faster where an object has no nested
/// values that matter.
package enum JSONTree: Hashable, Sendable {
    case number(Double)
    case text(String)
    case flag(Bool)
    case null
    case list([JSONTree])
    case object([String: JSONTree])

    /// The greatest number of objects and lists inside of each other.
    private static let mostLevels = 8

    /// Reads the only value in bytes.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        let padding = 64
        let length = bytes.count + padding
        let tree = withUnsafeTemporaryAllocation(byteCount: length, alignment: 1) { buffer -> JSONTree? in
            buffer.copyMemory(from: bytes)
            for index in bytes.count..<buffer.count { buffer[index] = 0 }
            guard let start = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
            var scanner = JSONScanner(start: start, count: bytes.count)
            guard let tree = try? scanner.tree(below: Self.mostLevels) else { return nil }
            scanner.skipSpace()
            return scanner.cursor == scanner.end ? tree : nil
        }
        guard let tree else { return nil }
        self = tree
    }

    /// The number, if the value is one that is finite.
    package var number: Double? { if case .number(let number) = self, number.isFinite { number } else { nil } }
    /// The text, if the value is one.
    package var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The Boolean, if the value is one.
    package var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    /// The values of the list, if the value is one.
    package var list: [JSONTree]? { if case .list(let list) = self { list } else { nil } }
    /// The members of the object, if the value is one; none otherwise.
    package var members: [String: JSONTree] { if case .object(let members) = self { members } else { [:] } }

    /// The member of an object with a name.
    package subscript(name: String) -> JSONTree? { if case .object(let members) = self { members[name] } else { nil } }
}

extension JSONScanner {
    fileprivate mutating func tree(below levels: Int) throws(ReportError) -> JSONTree {
        skipSpace()
        switch cursor.pointee {
        case UInt8(ascii: "{") where levels > 0:
            var members: [String: JSONTree] = [:]
            try elements(until: UInt8(ascii: "}")) { (scanner) throws(ReportError) in
                scanner.skipSpace()
                guard let name = try scanner.string() else { throw scanner.failure(at: scanner.cursor) }
                try scanner.expect(UInt8(ascii: ":"))
                members[name] = try scanner.tree(below: levels - 1)
            }
            return .object(members)
        case UInt8(ascii: "[") where levels > 0:
            var list: [JSONTree] = []
            try elements(until: UInt8(ascii: "]")) { (scanner) throws(ReportError) in
                list.append(try scanner.tree(below: levels - 1))
            }
            return .list(list)
        case UInt8(ascii: "\""): return try string().map { .text($0) } ?? .null
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            let first = cursor.pointee
            cursor = try skipped(from: cursor)
            return first == UInt8(ascii: "n") ? .null : .flag(first == UInt8(ascii: "t"))
        default:
            guard let number = try number() else { throw failure(at: cursor) }
            return .number(number)
        }
    }

    /// Reads what stands between two brackets, with commas between them.
    private mutating func elements(
        until end: UInt8, _ element: (inout JSONScanner) throws(ReportError) -> Void
    ) throws(ReportError) {
        cursor += 1
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
}
