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
        var buffer = PaddedBuffer(keptCapacity: 0)
        let tree = buffer.withCopy(of: bytes) { start -> JSONTree? in
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

    package subscript(name: String) -> JSONTree? { if case .object(let members) = self { members[name] } else { nil } }
}

extension JSONScanner {
    fileprivate mutating func tree(below levels: Int) throws(ReportError) -> JSONTree {
        skipSpace()
        switch cursor.pointee {
        case UInt8(ascii: "{") where levels > 0:
            cursor += 1
            var members: [String: JSONTree] = [:]
            try elements(until: UInt8(ascii: "}")) { (scanner) throws(ReportError) in
                let key = try scanner.key()
                members[key] = try scanner.tree(below: levels - 1)
            }
            return .object(members)
        case UInt8(ascii: "[") where levels > 0:
            cursor += 1
            var list: [JSONTree] = []
            try elements(until: UInt8(ascii: "]")) { (scanner) throws(ReportError) in
                list.append(try scanner.tree(below: levels - 1))
            }
            return .list(list)
        default:
            switch try value() {
            case .number(let number): return .number(number)
            case .text(let text): return .text(text)
            case .flag(let flag): return .flag(flag)
            case .null: return .null
            case .nested: throw failure(at: cursor)
            }
        }
    }
}
