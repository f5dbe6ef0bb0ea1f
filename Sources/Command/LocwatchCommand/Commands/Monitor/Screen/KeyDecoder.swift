/// A key that a terminal can report.
enum Key: Hashable, Sendable {
    case character(Unicode.Scalar)
    case up, down, left, right, home, end, pageUp, pageDown
    case enter, tab, backTab, backspace, escape
}

/// A decoder of the bytes that a terminal sends for keys, which may arrive in pieces and may be anything.
///
/// Unknown sequences are dropped as a whole, so that their parts are not taken for keys.
struct KeyDecoder: Sendable {
    /// The longest sequence of parameters; a longer one is dropped up to its end.
    private static let longest = 32

    private enum State: Hashable {
        case plain
        /// After an escape character, which is a key of its own if nothing follows.
        case escape
        /// In a control sequence, with its bytes so far.
        case sequence([UInt8])
        /// After `ESC O`.
        case shift
        /// In a string of the terminal, such as an answer about its colours, which ends with BEL or `ESC \`.
        case string(isAtEscape: Bool)
        /// In a character of several bytes.
        case utf8([UInt8])
    }

    private var state = State.plain

    /// Whether an escape character waits for its continuation; after a while `expire` makes it a key.
    var isWaiting: Bool { state == .escape }

    /// Returns the key of a lone escape character.
    mutating func expire() -> Key? {
        guard isWaiting else { return nil }
        state = .plain
        return .escape
    }

    /// Returns the keys that bytes complete.
    mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] { bytes.compactMap { key(in: $0) } }

    private mutating func key(in byte: UInt8) -> Key? {
        let before = state
        state = .plain
        switch before {
        case .plain: return plain(byte)
        case .escape: return afterEscape(byte)
        case .shift: return Self.final(byte, [])
        case .sequence(let bytes): return inSequence(byte, bytes)
        case .string(let isAtEscape):
            let isEnd = byte == 0x07 || isAtEscape && byte == UInt8(ascii: "\\")
            if !isEnd { state = .string(isAtEscape: byte == 0x1B) }
            return nil
        case .utf8(let bytes): return inCharacter(byte, bytes)
        }
    }

    private mutating func plain(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x1B: state = .escape
        case 0x0D, 0x0A: return .enter
        case 0x09: return .tab
        case 0x08, 0x7F: return .backspace
        // Ctrl-L is the one control character with a meaning.
        case 0x0C, 0x20..<0x7F: return .character(Unicode.Scalar(byte))
        case 0xC2...0xF4: state = .utf8([byte])
        default: break
        }
        return nil
    }

    private mutating func afterEscape(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "["): state = .sequence([])
        case UInt8(ascii: "O"): state = .shift
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            state = .string(isAtEscape: false)
        case 0x1B:
            state = .escape
            return .escape
        // Alt with a key.
        default: break
        }
        return nil
    }

    private mutating func inSequence(_ byte: UInt8, _ bytes: [UInt8]) -> Key? {
        switch byte {
        // The Linux console sends `ESC [ [ A` for F1.
        case UInt8(ascii: "[") where bytes.isEmpty: state = .sequence([byte])
        case 0x40...0x7E: return bytes.count <= Self.longest ? Self.final(byte, bytes) : nil
        case 0x20..<0x40: state = .sequence(bytes.count <= Self.longest ? bytes + [byte] : bytes)
        case 0x1B: state = .escape
        case 0x18, 0x1A, 0x7F...: break
        default: state = .sequence(bytes)
        }
        return nil
    }

    private mutating func inCharacter(_ byte: UInt8, _ bytes: [UInt8]) -> Key? {
        guard byte & 0xC0 == 0x80 else { return plain(byte) }
        let all = bytes + [byte]
        let length = if all[0] >= 0xF0 { 4 } else if all[0] >= 0xE0 { 3 } else { 2 }
        guard all.count == length else {
            state = .utf8(all)
            return nil
        }
        return String(validating: all, as: UTF8.self)?.unicodeScalars.first.map(Key.character)
    }

    /// The keys of sequences that end with these letters.
    private static let letters = Dictionary(
        uniqueKeysWithValues: zip("ABCDHFZM".utf8, [Key.up, .down, .right, .left, .home, .end, .backTab, .enter]))
    /// The keys of sequences that begin with these digits and end with `~`.
    private static let digits = Dictionary(
        uniqueKeysWithValues: zip("174856".utf8, [Key.home, .home, .end, .end, .pageUp, .pageDown]))

    private static func final(_ byte: UInt8, _ parameters: [UInt8]) -> Key? {
        if parameters.first == UInt8(ascii: "[") { return nil }
        guard byte == UInt8(ascii: "~") else { return letters[byte] }
        let key = parameters.first.flatMap { digits[$0] }
        // `ESC [ 1 5 ~` is a function key.
        return key == .home && parameters.count > 1 ? nil : key
    }
}
