/// A token of JSON.
enum JSONToken {
    case beginObject, endObject, beginArray, endArray
    /// The name of a member.
    case key(ValueText)
    case string(ValueText)
    case number(ValueText)
    /// `true`, `false` or `null`.
    case word
}

/// A splitter of JSON into tokens while it is read, with bounded memory.
///
/// Several values may follow each other, one in each line, as in newline-delimited GeoJSON.
struct JSONTokens {
    private enum State {
        case value, string, escape, unicode(digits: Int, value: UInt32), number, word, afterValue
    }

    /// The kinds of the open brackets; `true` is an object.
    private var open: [Bool] = []
    private var state = State.value
    private var text = ValueText()
    /// Whether the next text is the name of a member.
    private var awaitsKey = false
    /// Whether the current string is the name of a member.
    private var isKey = false
    /// Whether a comma requires another value.
    private var hasComma = false
    private(set) var line = 1
    /// The first half of a character outside the basic plane.
    private var surrogate: UInt32?
    private static let depth = 64

    /// Whether the text ends within a value.
    var isTorn: Bool {
        if !open.isEmpty { return true }
        switch state {
        case .value, .afterValue, .number, .word: return false
        case .string, .escape, .unicode: return true
        }
    }

    /// Processes the next bytes until `isPaused` is true after one of them; returns the number of those processed.
    mutating func read(
        _ bytes: UnsafeRawBufferPointer, _ emit: (JSONToken) throws(TrackFault) -> Void, isPaused: () -> Bool
    ) throws(TrackFault) -> Int {
        for (index, byte) in bytes.enumerated() {
            if byte == 0x0A { line += 1 }
            let depth = open.count
            try process(byte, emit)
            // Only the end of an object or a list completes anything.
            if open.count < depth, isPaused() { return index + 1 }
        }
        return bytes.count
    }

    private mutating func process(_ byte: UInt8, _ emit: (JSONToken) throws(TrackFault) -> Void) throws(TrackFault) {
        switch state {
        case .string:
            switch byte {
            case UInt8(ascii: "\""): try endString(emit)
            case UInt8(ascii: "\\"): state = .escape
            default: text.append(byte)
            }
            return
        case .escape: return try escape(byte)
        case .unicode(let digits, let value): return try unicode(byte, digits, value)
        case .number, .word:
            if Self.isLiteral(byte) { return text.append(byte) }
            try endLiteral(emit)
        case .value, .afterValue: break
        }
        if TrackNumber.isSpace(byte) { return }
        if case .afterValue = state { try separate(byte, emit) } else { try begin(byte, emit) }
    }

    /// Processes the first byte of a value, of the name of a member, or the end of an empty list.
    private mutating func begin(_ byte: UInt8, _ emit: (JSONToken) throws(TrackFault) -> Void) throws(TrackFault) {
        if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]"), !hasComma { return try close(byte, emit) }
        hasComma = false
        if byte == UInt8(ascii: "\"") {
            isKey = awaitsKey
            text.clear()
            state = .string
            return
        }
        guard !awaitsKey else { throw fault("expected the name of a member") }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let isObject = byte == UInt8(ascii: "{")
            guard open.count < Self.depth else { throw fault("it is nested more than \(Self.depth) levels deep") }
            open.append(isObject)
            awaitsKey = isObject
            state = .value
            try emit(isObject ? .beginObject : .beginArray)
        case _ where Self.isLiteral(byte):
            text.clear()
            text.append(byte)
            state = 0x30...0x39 ~= byte || byte == UInt8(ascii: "-") ? .number : .word
        default: throw fault("an unexpected character")
        }
    }

    /// Processes the first byte after a value.
    private mutating func separate(_ byte: UInt8, _ emit: (JSONToken) throws(TrackFault) -> Void) throws(TrackFault) {
        switch (byte, open.last) {
        case (UInt8(ascii: ","), let isObject?):
            (awaitsKey, hasComma) = (isObject, true)
            state = .value
        case (UInt8(ascii: ":"), true?) where isKey:
            isKey = false
            state = .value
        case (UInt8(ascii: "}"), _), (UInt8(ascii: "]"), _): try close(byte, emit)
        case (_, nil):
            // Another value of a file with one in each line.
            state = .value
            try begin(byte, emit)
        default: throw fault("a comma or an end is missing")
        }
    }

    private mutating func close(_ byte: UInt8, _ emit: (JSONToken) throws(TrackFault) -> Void) throws(TrackFault) {
        let isObject = byte == UInt8(ascii: "}")
        guard open.last == isObject, !isKey else { throw fault("a bracket is closed that is not open") }
        open.removeLast()
        (awaitsKey, state) = (false, .afterValue)
        try emit(isObject ? .endObject : .endArray)
    }

    private mutating func endString(_ emit: (JSONToken) throws(TrackFault) -> Void) throws(TrackFault) {
        (state, awaitsKey) = (.afterValue, false)
        try emit(isKey ? .key(text) : .string(text))
    }

    /// Ends the last value of a file.
    mutating func finish(_ emit: (JSONToken) throws(TrackFault) -> Void) throws(TrackFault) {
        switch state {
        case .number, .word: try endLiteral(emit)
        default: break
        }
    }

    private mutating func endLiteral(_ emit: (JSONToken) throws(TrackFault) -> Void) throws(TrackFault) {
        if case .number = state { try emit(.number(text)) } else { try emit(.word) }
        state = .afterValue
    }

    private mutating func escape(_ byte: UInt8) throws(TrackFault) {
        state = .string
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): state = .unicode(digits: 0, value: 0)
        default: throw fault("an unknown escape in a string")
        }
    }

    private mutating func unicode(_ byte: UInt8, _ digits: Int, _ value: UInt32) throws(TrackFault) {
        guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
            throw fault("an unknown escape in a string")
        }
        let value = value << 4 | UInt32(digit)
        guard digits == 3 else {
            state = .unicode(digits: digits + 1, value: value)
            return
        }
        state = .string
        if 0xD800..<0xDC00 ~= value {
            surrogate = value
            return
        }
        var scalar = Unicode.Scalar(value)
        if 0xDC00..<0xE000 ~= value, let high = surrogate {
            scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (value - 0xDC00))
        }
        surrogate = nil
        text.append(Array(String(Character(scalar ?? "\u{FFFD}")).utf8))
    }

    private static func isLiteral(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    private func fault(_ cause: String) -> TrackFault { .malformed(line: line, cause: "the JSON is damaged: \(cause)") }
}
