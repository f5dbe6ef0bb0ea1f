/// The rule for external text, such as a device name, in everything that locwatch writes.
///
/// A hidden character is never written as it is. JSON uses its own escapes, which read back to the same text
/// (`JSONText`); every other format writes a visible escape: `\n`, `\x1b`, `\u{202e}`.
package enum VisibleText {
    /// Returns whether a character, instead of being visible, can move a cursor, control a terminal, end a line or a
    /// field, or change the order or the look of other text.
    @inline(__always)
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F: false
        case 0..<0xA0: true
        default: isHiddenBeyondASCII(scalar)
        }
    }

    private static func isHiddenBeyondASCII(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }

    /// Returns text with each hidden character replaced by a visible escape.
    package static func of(_ text: String) -> String {
        // Nearly all text is in one piece, in which a byte takes 2 instructions instead of 20.
        let isPlain = text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy { 0x20..<0x7F ~= $0 } }
        if isPlain ?? text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
        return text.unicodeScalars.reduce(into: "") { $0 += isHidden($1) ? escape(of: $1) : String($1) }
    }

    private static func escape(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case _ where scalar.value < 0x80: "\\x" + UInt8(scalar.value).hexadecimal
        default: "\\u{" + String(scalar.value, radix: 16) + "}"
        }
    }
}
