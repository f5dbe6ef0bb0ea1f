/// A JSON value of any kind, with the values in it.
package enum JSONValue: Hashable, Sendable {
    /// A number; one beyond the range of `Double` is infinite.
    case number(Double)
    case text(String)
    case flag(Bool)
    case null
    case list([JSONValue])
    case object([String: JSONValue])
    /// An object or a list beyond the levels that are read, which is validated only.
    case nested

    /// The number of objects and lists inside of each other that are read.
    private static let levels = 8

    /// Reads the only value in bytes, in time linear in their number; returns `nil` for anything else.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        var buffer = PaddedBuffer(keptCapacity: 0)
        let value = buffer.withCopy(of: bytes) { start -> JSONValue? in
            var scanner = JSONScanner(start: start, count: bytes.count)
            guard let value = try? scanner.value(levels: Self.levels) else { return nil }
            scanner.skipSpace()
            return scanner.cursor == scanner.end ? value : nil
        }
        guard let value else { return nil }
        self = value
    }

    /// The number, if the value is one that is finite.
    package var number: Double? { if case .number(let number) = self, number.isFinite { number } else { nil } }
    /// The text, if the value is one.
    package var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The Boolean, if the value is one.
    package var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    /// The values of the list, if the value is one.
    package var list: [JSONValue]? { if case .list(let list) = self { list } else { nil } }
    /// The members of the object, if the value is one; none otherwise.
    package var members: [String: JSONValue] { if case .object(let members) = self { members } else { [:] } }

    package subscript(name: String) -> JSONValue? { if case .object(let members) = self { members[name] } else { nil } }
}

extension JSONScanner {
    /// Reads a value and as many levels of objects and lists; those below are skipped.
    mutating func value(levels: Int) throws(ReportError) -> JSONValue {
        skipSpace()
        let first = cursor.pointee
        switch first {
        case UInt8(ascii: "{") where levels > 0:
            cursor += 1
            var members: [String: JSONValue] = [:]
            try elements(until: UInt8(ascii: "}")) { (scanner) throws(ReportError) in
                let key = try scanner.key()
                members[key] = try scanner.value(levels: levels - 1)
            }
            return .object(members)
        case UInt8(ascii: "[") where levels > 0:
            cursor += 1
            var list: [JSONValue] = []
            try elements(until: UInt8(ascii: "]")) { (scanner) throws(ReportError) in
                list.append(try scanner.value(levels: levels - 1))
            }
            return .list(list)
        case UInt8(ascii: "\""):
            let text = try stringSpan(from: cursor + 1)
            cursor = text.after
            return .text(JSONScanner.string(text))
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            cursor = try skipped(from: cursor)
            return switch first {
            case UInt8(ascii: "{"), UInt8(ascii: "["): .nested
            case UInt8(ascii: "n"): .null
            default: .flag(first == UInt8(ascii: "t"))
            }
        default:
            guard let number = try number() else { throw failure(at: cursor) }
            return .number(number)
        }
    }
}
