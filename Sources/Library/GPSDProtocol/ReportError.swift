/// The reason why a line is not a report, with the position of the offending byte.
package struct ReportError: Error, Hashable, Sendable {
    package enum Fault: Hashable, Sendable {
        /// The line is empty or white space.
        case empty
        /// The line does not begin with `{`.
        case notAnObject
        /// The object has no `class`, or its `class` is not a string.
        case noClass
        /// A byte is not valid JSON at its position.
        case unexpectedByte
        /// The line ends within its object.
        case unexpectedEnd
        /// A number is malformed.
        case badNumber
        /// A string contains a control character.
        case badString
        /// A backslash in a string does not begin a valid escape.
        case badEscape
        /// Objects and lists are nested more than 1,024 deep.
        case tooDeep
        /// Bytes follow the object.
        case trailingBytes
    }

    package var kind: Fault
    /// The number of bytes before the offending byte.
    package var offset: Int

    package init(_ kind: Fault, offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}

extension ReportError: CustomStringConvertible {
    /// A description of the error and its position, for a log.
    package var description: String {
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
            case .tooDeep: "nesting deeper than 1,024 levels"
            case .trailingBytes: "bytes after the object"
            }
        return "\(what) at byte \(offset)"
    }
}
