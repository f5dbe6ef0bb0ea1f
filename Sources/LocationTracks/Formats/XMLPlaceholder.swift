/// A placeholder that lets an XML file grow at its end and be well-formed whichever byte is the last one written.
///
/// Between the last point and the closing tags is a processing instruction full of spaces, which readers ignore:
///
///     … last point <?locwatch ?␠                                       ?></trkseg></trk></gpx>
///
/// A point is written into it after its first ␠, followed by the opening of another such instruction: any part of that
/// is inside the first instruction, and therefore hidden. Then the first ␠ becomes `>`, a single byte, which ends the
/// first instruction before the point. `?` and `>` never occur together earlier, because no point contains a question
/// mark (`append(xml:)` escapes them).
enum XMLPlaceholder {
    static let target: StaticString = "<?locwatch "
    /// The opening of a placeholder; a space follows, which becomes `>` when the hidden content is complete.
    static let opening: [UInt8] = Array("<?locwatch ?".utf8)
    static let closing: [UInt8] = Array("?>".utf8)
    static let hidden = UInt8(ascii: " ")
    static let shown = UInt8(ascii: ">")

    static func spaces(_ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: " "), count: count) }

    /// A filter that removes placeholders from a file read in pieces.
    struct Remover {
        private var matched = 0
        private var inside = false
        private var afterMark = false
        private static let target = Array(XMLPlaceholder.opening.dropLast())

        /// Appends the visible part of a piece.
        mutating func process(_ piece: [UInt8], to bytes: inout [UInt8]) {
            for byte in piece {
                if inside {
                    if afterMark, byte == XMLPlaceholder.shown { inside = false }
                    afterMark = byte == UInt8(ascii: "?")
                } else if byte == Self.target[matched] {
                    matched += 1
                    if matched == Self.target.count {
                        matched = 0
                        inside = true
                        afterMark = false
                    }
                } else {
                    bytes.append(contentsOf: Self.target[..<matched])
                    // `<` occurs in the target only at its beginning.
                    matched = byte == Self.target[0] ? 1 : 0
                    if matched == 0 { bytes.append(byte) }
                }
            }
        }
    }
}
