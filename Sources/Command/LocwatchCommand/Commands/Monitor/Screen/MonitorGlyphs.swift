import LocationCore
import LocwatchTerminal

/// The characters with which a screen is drawn, as far as the terminal can show them.
enum MonitorGlyphs: Hashable, Sendable, CaseIterable {
    /// Graphs of braille dots, for terminals with Unicode fonts.
    case braille
    /// Graphs of blocks, for fonts without braille, as on a Linux console.
    case blocks
    case ascii

    /// Creates the characters that the locale and the terminal of the environment can show.
    init(environment: [String: String]) {
        guard Glyphs(environment: environment) != .ascii else {
            self = .ascii
            return
        }
        self = environment["TERM"] == "linux" ? .blocks : .braille
    }

    /// The characters of texts.
    var text: Glyphs { self == .ascii ? .ascii : .utf8 }

    /// The marks of satellites, which differ in their shape.
    var usedMark: String { self == .ascii ? "*" : "●" }
    var seenMark: String { self == .ascii ? "o" : "○" }
    var selectionMark: String { self == .ascii ? ">" : "▸" }
    var dot: Unicode.Scalar { self == .ascii ? "." : "·" }

    /// The parts of a bar: for used and for seen satellites.
    func bar(isUsed: Bool) -> Unicode.Scalar {
        switch (self, isUsed) {
        case (.ascii, true): "#"
        case (.ascii, false): "-"
        case (_, true): "█"
        case (_, false): "░"
        }
    }

    /// Returns the character of a level from 0 to 1 of one cell's height.
    func level(_ share: Double) -> Unicode.Scalar {
        let steps: [Unicode.Scalar] =
            self == .ascii ? ["_", ".", "-", "=", "^"] : ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        let place = Int(clamping: share * Double(steps.count))
        return steps[min(max(0, place), steps.count - 1)]
    }

    /// Returns a part of a line that has ends up (1), down (2), left (4) and right (8).
    func line(_ ends: UInt8) -> Unicode.Scalar {
        if self == .ascii {
            if ends & 3 == 0 { return "-" }
            return ends & 12 == 0 ? "|" : "+"
        }
        let parts: [Unicode.Scalar] = [
            " ", "│", "│", "│", "─", "┘", "┐", "┤", "─", "└", "┌", "├", "─", "┴", "┬", "┼",
        ]
        return parts[Int(ends & 15)]
    }
}
