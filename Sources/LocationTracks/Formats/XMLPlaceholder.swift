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

    /// The text that opens a comment that hides content.
    static let commentOpening: [UInt8] = Array("<!--locwatch ".utf8)
    static let commentClosing: [UInt8] = Array("-->".utf8)

    /// A filter that removes placeholders and hidden content from a file read in pieces.
    struct Remover {
        /// The beginning of the text that may open a placeholder or a comment.
        private var held: [UInt8] = []
        /// The text that ends the hidden content, if the filter is within it.
        private var closing: [UInt8]?
        /// The last bytes of the hidden content.
        private var recent: [UInt8] = []
        private static let target = Array(XMLPlaceholder.opening.dropLast())

        /// Appends the visible part of a piece.
        mutating func process(_ piece: [UInt8], to bytes: inout [UInt8]) {
            for byte in piece {
                if let closing {
                    if recent.count == closing.count { recent.removeFirst() }
                    recent.append(byte)
                    if recent == closing { self.closing = nil }
                } else if held.isEmpty, byte != Self.target[0] {
                    bytes.append(byte)
                } else {
                    hold(byte, &bytes)
                }
            }
        }

        private mutating func hold(_ byte: UInt8, _ bytes: inout [UInt8]) {
            // `<` occurs in the targets only at their beginning.
            if byte == Self.target[0] {
                bytes += held
                held = [byte]
                return
            }
            held.append(byte)
            if held == Self.target || held == XMLPlaceholder.commentOpening {
                closing = held == Self.target ? XMLPlaceholder.closing : XMLPlaceholder.commentClosing
                recent = []
                held = []
            } else if !Self.target.starts(with: held), !XMLPlaceholder.commentOpening.starts(with: held) {
                bytes += held
                held = []
            }
        }
    }
}
