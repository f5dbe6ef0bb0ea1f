import LocationCore

/// A token of JSON.
enum JSONToken {
    case beginObject, endObject, beginArray, endArray
    case key(ValueText)
    case string(ValueText)
    case number(ValueText)
    /// `true`, `false` or `null`.
    case word
}

/// A splitter of JSON into tokens while it is read, with bounded memory.
///
/// Several values may follow each other, one in each line, as in newline-delimited GeoJSON. `JSONObjectReader` needs a text as a
/// whole, which a file of any size is not.
struct JSONTokens {
    private enum State {
        case value, string, escape, unicode(digits: Int, value: UInt16), number, word, afterValue
    }

    /// The kinds of the open brackets; `true` is an object.
    private var open: [Bool] = []
    private var state = State.value
    private var text = ValueText()
    private var awaitsKey = false
    private var isKey = false
    /// Whether a comma requires another value.
    private var hasComma = false
    private(set) var line = 1
    /// The first unit of a character outside the basic plane; left out if the second does not follow at once.
    private var lead: UInt16?
    private static let depth = 64

    /// Whether the text ends within a value.
    var isTorn: Bool {
        if !open.isEmpty { return true }
        switch state {
        case .value, .afterValue, .number, .word: return false
        case .string, .escape, .unicode: return true
        }
    }

    /// Returns the next token that the bytes from a place on complete, and moves the place behind it; `nil` if they end before.
    mutating func next(in bytes: UnsafeRawBufferPointer, from place: inout Int) throws(LocationError) -> JSONToken? {
        while place < bytes.count {
            let byte = bytes[place]
            // A literal has no end of its own, so the byte after it is read again.
            if !Self.isLiteral(byte), let literal = finish() { return literal }
            place += 1
            if byte == 0x0A { line += 1 }
            if let token = try token(byte) { return token }
        }
        return nil
    }

    /// Returns the number or the word that has begun and ends here, if any.
    mutating func finish() -> JSONToken? {
        switch state {
        case .number:
            state = .afterValue
            return .number(text)
        case .word:
            state = .afterValue
            return .word
        default: return nil
        }
    }

    /// Processes a byte, and returns the token that it completes.
    private mutating func token(_ byte: UInt8) throws(LocationError) -> JSONToken? {
        switch state {
        case .string where byte == UInt8(ascii: "\""):
            (state, awaitsKey) = (.afterValue, false)
            return isKey ? .key(text) : .string(text)
        case .string where byte == UInt8(ascii: "\\"): state = .escape
        case .string, .number, .word:
            lead = nil
            text.append(byte)
        case .escape: try escape(byte)
        case .unicode(let digits, let value): try unicode(byte, digits, value)
        case .value, .afterValue:
            if TrackNumber.isSpace(byte) { return nil }
            if case .afterValue = state { return try separate(byte) }
            return try begin(byte)
        }
        return nil
    }

    /// Processes the first byte of a value, of the name of a member, or the end of an empty list.
    private mutating func begin(_ byte: UInt8) throws(LocationError) -> JSONToken? {
        if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]"), !hasComma { return try close(byte) }
        hasComma = false
        text.clear()
        if byte == UInt8(ascii: "\"") {
            (isKey, state, lead) = (awaitsKey, .string, nil)
            return nil
        }
        guard !awaitsKey else { throw fault("expected the name of a member") }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard open.count < Self.depth else { throw fault("it is nested more than \(Self.depth) levels deep") }
            awaitsKey = byte == UInt8(ascii: "{")
            open.append(awaitsKey)
            return awaitsKey ? .beginObject : .beginArray
        case _ where Self.isLiteral(byte):
            text.append(byte)
            state = 0x30...0x39 ~= byte || byte == UInt8(ascii: "-") ? .number : .word
            return nil
        default: throw fault("an unexpected character")
        }
    }

    /// Processes the first byte after a value.
    private mutating func separate(_ byte: UInt8) throws(LocationError) -> JSONToken? {
        switch (byte, open.last) {
        case (UInt8(ascii: ","), let isObject?): (awaitsKey, hasComma, state) = (isObject, true, .value)
        case (UInt8(ascii: ":"), true?) where isKey: (isKey, state) = (false, .value)
        case (UInt8(ascii: "}"), _), (UInt8(ascii: "]"), _): return try close(byte)
        case (_, nil):
            // Another value of a file with one in each line.
            state = .value
            return try begin(byte)
        default: throw fault("a comma or an end is missing")
        }
        return nil
    }

    private mutating func close(_ byte: UInt8) throws(LocationError) -> JSONToken {
        let isObject = byte == UInt8(ascii: "}")
        guard open.last == isObject, !isKey else { throw fault("a bracket is closed that is not open") }
        open.removeLast()
        (awaitsKey, state) = (false, .afterValue)
        return isObject ? .endObject : .endArray
    }

    private mutating func escape(_ letter: UInt8) throws(LocationError) {
        if letter == UInt8(ascii: "u") {
            state = .unicode(digits: 0, value: 0)
            return
        }
        guard let byte = Self.escapes[letter] else { throw fault("an unknown escape in a string") }
        (state, lead) = (.string, nil)
        text.append(byte)
    }

    /// The bytes that a letter after a backslash means.
    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
        UInt8(ascii: "/"): UInt8(ascii: "/"),
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
        UInt8(ascii: "t"): 0x09,
    ]

    private mutating func unicode(_ byte: UInt8, _ digits: Int, _ value: UInt16) throws(LocationError) {
        guard byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
            throw fault("an unknown escape in a string")
        }
        let value = value << 4 | UInt16(digit)
        guard digits == 3 else {
            state = .unicode(digits: digits + 1, value: value)
            return
        }
        state = .string
        // A character outside the basic plane is written as two units.
        if UTF16.isLeadSurrogate(value) {
            lead = value
            return
        }
        text.append(String(decoding: lead.map { [$0, value] } ?? [value], as: UTF16.self).utf8)
        lead = nil
    }

    private static func isLiteral(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    private func fault(_ cause: String) -> LocationError {
        .malformedTrack(line: line, "the JSON is damaged: \(cause)")
    }
}
