import LocationCore

/// The format of an input, as far as its first bytes show it.
enum InputFormat: Hashable, Sendable {
    /// JSON of gpsd, with or without the time stamps of `gpspipe`.
    case session
    /// A file that a program of the system decompresses.
    case compressed(DecodingProgram)
    /// Bytes of a receiver; `isFamiliar` if they contain the beginning of a message that gpsd knows.
    case log(isFamiliar: Bool)
    /// A file of another kind, in words, such as `a PNG picture`.
    case unrelated(String)

    /// The number of bytes that are examined.
    static let beginning = 65_536
    /// The number of bytes after which text without a line break is no longer waited for.
    private static let longestFirstLine = 4096
    /// The number of bytes that show the kind of a file.
    private static let signature = 16

    /// Determines the format from the beginning of an input; returns `nil` if more bytes are needed.
    ///
    /// - Parameters:
    ///   - isAtEnd: Whether the input has no more bytes.
    ///   - isLive: Whether the bytes arrive while they are produced, so that the first ones that tell anything decide.
    static func of(_ beginning: [UInt8], isAtEnd: Bool, isLive: Bool = false) -> InputFormat? {
        let isWhole = isAtEnd || beginning.count >= Self.beginning
        guard let first = beginning.first(where: { !isBlank($0) }) else {
            return isWhole || beginning.count >= longestFirstLine ? .session : nil
        }
        for program in DecodingProgram.decompressors {
            if beginning.starts(with: program.magic) { return .compressed(program) }
            if !isAtEnd, program.magic.starts(with: beginning) { return nil }
        }
        guard isWhole || isLive else { return nil }
        let isLong = isAtEnd || beginning.count >= longestFirstLine
        let hasLine = beginning.contains(UInt8(ascii: "\n"))
        guard hasLine || isAtEnd || beginning.count >= signature else { return nil }
        if let kind = FileSignature.kind(of: beginning) { return .unrelated(kind) }
        let content = InputContent(beginning)
        if content.hasMessage { return .log(isFamiliar: true) }
        if content.hasReport { return .session }
        // Only the greeting of gpsd, which can precede what a receiver sends.
        if content.hasGreeting {
            return isWhole ? content.hasOther ? .log(isFamiliar: false) : .session : nil
        }
        if first == UInt8(ascii: "{") { return hasLine || isLong ? .session : nil }
        let isFamiliar = ReceiverBytes.kind(of: beginning) != nil
        guard hasLine || isLong || isFamiliar || !isText(beginning[...]) else { return nil }
        return .log(isFamiliar: isFamiliar)
    }

    /// Returns a sentence about the first bytes, such as `it begins with the text "Dear diary"`.
    static func description(of beginning: [UInt8]) -> String {
        if let kind = FileSignature.kind(of: beginning) ?? ReceiverBytes.leadingKind(of: beginning) {
            return "it looks like \(kind)"
        }
        let line = beginning.drop(while: isBlank).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        let words = String(decoding: line.prefix(40), as: UTF8.self)
        if !line.isEmpty, isText(line.prefix(40)), !words.dropLast().contains("\u{FFFD}") {
            return "it begins with the text \"\(words)\""
        }
        return "it begins with the bytes \(beginning.prefix(8).map(\.hexadecimal).joined(separator: " "))"
    }

    /// Returns whether a byte is white space.
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    /// Returns whether bytes are text in ASCII or UTF-8, as far as their values show it.
    static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || isBlank($0) } && !bytes.contains { $0 == 0xB5 || $0 >= 0xF5 }
    }
}
