import LocationCore

/// The bytes of a record, written or read field by field with the same code.
///
/// Reading never traps: whatever the bytes are, the archive either yields values or is `isDamaged`.
struct RecordArchive {
    /// The bytes written so far, or those to read.
    private(set) var bytes: [UInt8]
    private let isReading: Bool
    private var place = 0
    /// Whether the bytes ended too early or contain an impossible value.
    private(set) var isDamaged = false

    /// Creates an archive to write to.
    init() {
        bytes = []
        bytes.reserveCapacity(256)
        isReading = false
    }

    /// Creates an archive to read from.
    init(reading bytes: [UInt8]) {
        self.bytes = bytes
        isReading = true
    }

    /// Whether every byte was read.
    var isAtEnd: Bool { place == bytes.count }

    /// Marks the bytes as impossible.
    mutating func damage() { isDamaged = true }

    mutating func code<Value: FixedWidthInteger>(_ value: inout Value) {
        let size = Value.bitWidth / 8
        if isReading {
            guard bytes.count - place >= size else {
                isDamaged = true
                return
            }
            var read: Value = 0
            for index in (0..<size).reversed() { read = read << 8 | Value(truncatingIfNeeded: bytes[place + index]) }
            value = read
            place += size
        } else {
            for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
        }
    }

    mutating func code(_ value: inout Bool) {
        var byte: UInt8 = value ? 1 : 0
        code(&byte)
        if byte > 1 { isDamaged = true }
        value = byte == 1
    }

    mutating func code(_ value: inout Double) {
        var bits = value.bitPattern
        code(&bits)
        value = Double(bitPattern: bits)
    }

    mutating func code(_ value: inout Int) {
        var wide = Int64(clamping: value)
        code(&wide)
        value = Int(truncatingIfNeeded: wide)
    }

    mutating func code(_ value: inout String) {
        let text = Array(value.utf8.prefix(Int(UInt16.max)))
        var count = UInt16(text.count)
        code(&count)
        guard isReading else {
            bytes += text
            return
        }
        guard !isDamaged, bytes.count - place >= Int(count) else {
            isDamaged = true
            return
        }
        value = String(decoding: bytes[place..<(place + Int(count))], as: UTF8.self)
        place += Int(count)
    }

    mutating func code(_ time: inout Timestamp) {
        var nanoseconds = time.nanosecondsSince1970
        code(&nanoseconds)
        time = Timestamp(nanosecondsSince1970: nanoseconds)
    }

    mutating func code(_ value: inout Double?) { code(&value, initial: 0) { $0.code(&$1) } }
    mutating func code(_ value: inout Int?) { code(&value, initial: 0) { $0.code(&$1) } }
    mutating func code(_ value: inout String?) { code(&value, initial: "") { $0.code(&$1) } }
    mutating func code(_ value: inout Timestamp?) {
        code(&value, initial: Timestamp(nanosecondsSince1970: 0)) { $0.code(&$1) }
    }

    /// Writes or reads an optional number in three bytes if it is small.
    mutating func code(short value: inout Int?) {
        code(short: &value, { Int16(exactly: $0) }, { Int($0) }) { $0.code(&$1, initial: 0) { $0.code(&$1) } }
    }

    /// Writes or reads an optional number in three bytes if it is small and has at most one decimal.
    mutating func code(short value: inout Double?) {
        let tenths = { (value: Double) -> Int16? in
            guard let tenths = Int16(exactly: (value * 10).rounded()), Double(tenths) / 10 == value else { return nil }
            // A negative zero has a bit of its own.
            return tenths == 0 && value.sign == .minus ? nil : tenths
        }
        code(short: &value, tenths, { Double($0) / 10 }) { $0.code(&$1, initial: 0) { $0.code(&$1) } }
    }

    private mutating func code<Value>(
        short value: inout Value?, _ shorten: (Value) -> Int16?, _ restore: (Int16) -> Value,
        _ code: (inout RecordArchive, inout Value?) -> Void
    ) {
        var short = value.flatMap(shorten)
        var isShort = short != nil
        self.code(&isShort)
        guard isShort, !isDamaged else { return code(&self, &value) }
        var number = short ?? 0
        self.code(&number)
        short = number
        value = short.map(restore)
    }

    /// Writes or reads an optional value after a mark that says whether it is known.
    mutating func code<Value>(
        _ value: inout Value?, initial: Value, _ code: (inout RecordArchive, inout Value) -> Void
    ) {
        var isKnown = value != nil
        self.code(&isKnown)
        guard isKnown, !isDamaged else {
            value = nil
            return
        }
        var known = value ?? initial
        code(&self, &known)
        value = known
    }
}
