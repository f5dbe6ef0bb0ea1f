/// How an XML file grows at its end and is well-formed at every moment, whichever byte is the last that is written.
///
/// Between the last point and the closing tags stands a processing instruction, which readers pass over, full of spaces:
///
///     … last point <?locwatch ?␠                                       ?></trkseg></trk></gpx>
///
/// A point is written into it after its first ␠, followed by the opening of another such instruction: however much of that
/// arrives, it is inside the instruction and nobody sees it. Then the first ␠ becomes `>`, a single byte, which ends the
/// first instruction before the point. What stands between `?` and `>` is never both before its time, as no point has a
/// question mark in it (`append(xml:)` escapes them).
enum Concealment {
    static let target: StaticString = "<?locwatch "
    /// What opens a concealment; a space follows, which becomes `>` when what it hides is complete.
    static let opening: [UInt8] = Array("<?locwatch ?".utf8)
    static let closing: [UInt8] = Array("?>".utf8)
    static let hidden = UInt8(ascii: " ")
    static let shown = UInt8(ascii: ">")

    static func spaces(_ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: " "), count: count) }

    /// Takes concealments out of a file that comes in pieces.
    struct Remover {
        private var matched = 0
        private var inside = false
        private var afterMark = false
        private static let target = Array(Concealment.opening.dropLast())

        /// Appends what of a piece is to be seen.
        mutating func take(_ piece: [UInt8], to bytes: inout [UInt8]) {
            for byte in piece {
                if inside {
                    if afterMark, byte == Concealment.shown { inside = false }
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
