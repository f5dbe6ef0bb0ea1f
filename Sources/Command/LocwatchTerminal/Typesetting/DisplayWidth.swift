import LocationCore

/// The columns that characters take on a terminal, and the characters that may be shown at all.
package enum DisplayWidth {
    /// Returns the columns of a visible character: 2 for wide East Asian characters and pictures, 0 for marks that
    /// combine with the character before them.
    package static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x20..<0x300: 1
        // The lines, blocks and dots that the monitor draws itself.
        case 0x2500...0x25FF, 0x2800...0x28FF: 1
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F004, 0x1F0CF, 0x1F18E,
            0x1F191...0x1F19A, 0x1F200...0x1F320, 0x1F32D...0x1F6FF, 0x1F7E0...0x1F7EB, 0x1F900...0x1FAFF,
            0x20000...0x3FFFD:
            isMark(scalar) ? 0 : 2
        case 0x231A...0x231B, 0x23E9...0x23EC, 0x23F0, 0x23F3, 0x2614...0x2615, 0x2648...0x2653, 0x267F, 0x2693,
            0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE, 0x26D4, 0x26EA, 0x26F2...0x26F3,
            0x26F5, 0x26FA, 0x26FD, 0x2705, 0x270A...0x270B, 0x2728, 0x274C, 0x274E, 0x2753...0x2755, 0x2757,
            0x2795...0x2797, 0x27B0, 0x27BF, 0x2B1B...0x2B1C, 0x2B50, 0x2B55:
            2
        default: isMark(scalar) ? 0 : 1
        }
    }

    package static func of(_ text: String) -> Int { of(utf8: text.utf8) }

    /// Returns the columns of a text as UTF-8.
    static func of(utf8 text: some Collection<UInt8>) -> Int {
        // Up to U+02FF every character takes one column, so the bytes that begin one are counted.
        var columns = 0
        for byte in text {
            if byte >= 0xCC { return String(decoding: text, as: UTF8.self).unicodeScalars.reduce(0) { $0 + of($1) } }
            if byte & 0xC0 != 0x80 { columns += 1 }
        }
        return columns
    }

    /// Returns whether a character may be shown: it is visible, and cannot change the direction of other text.
    package static func isShowable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F, 0xA1..<0x300, 0x2500...0x25FF, 0x2800...0x28FF: scalar.value != 0xAD
        // Right-to-left scripts.
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: false
        default: !VisibleText.isHidden(scalar)
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: 0x1160...0x11FF ~= scalar.value
        }
    }
}
