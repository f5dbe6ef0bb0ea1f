/// Why a line is no report, and at which byte of it.
public struct ReportError: Error, Hashable, Sendable {
    /// What is wrong with a line.
    public enum Kind: Hashable, Sendable {
        /// There is nothing but white space.
        case empty
        /// The line does not begin with `{`.
        case notAnObject
        /// The object has no `class`, or one that is no string.
        case noClass
        /// A byte stands where JSON allows no such byte.
        case unexpectedByte
        /// The line ends in the middle of its object.
        case unexpectedEnd
        /// A number is not written as JSON writes numbers.
        case badNumber
        /// A string holds a control character.
        case badString
        /// A backslash in a string is followed by what is no escape.
        case badEscape
        /// Objects and lists are nested more than 1,024 deep.
        case tooDeep
        /// Something follows the object.
        case trailingBytes
    }

    /// What is wrong.
    public var kind: Kind
    /// The number of bytes before the offending one.
    public var offset: Int

    /// An error of a kind at a byte.
    public init(_ kind: Kind, offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}

extension ReportError: CustomStringConvertible {
    /// What is wrong and where, for a log.
    public var description: String {
        let what =
            switch kind {
            case .empty: "an empty line"
            case .notAnObject: "no JSON object"
            case .noClass: "an object without a class"
            case .unexpectedByte: "an unexpected byte"
            case .unexpectedEnd: "an unexpected end"
            case .badNumber: "a malformed number"
            case .badString: "a control character in a string"
            case .badEscape: "a malformed escape"
            case .tooDeep: "too deep a nesting"
            case .trailingBytes: "bytes after the object"
            }
        return "\(what) at byte \(offset)"
    }
}
