import LocationCore

/// The state that a decoder keeps between lines, so that a typical line allocates nothing.
struct DecoderCache: Sendable {
    /// The order of the keys in the last TPV and SKY.
    var tpvOrder = KeyOrder()
    var skyOrder = KeyOrder()

    /// The device of the last report, cached so that its string need not be created again.
    private var device = ""
    private var deviceBytes: [UInt8] = []
    /// The name and the quotation mark after it, if they are short.
    private var deviceText: ShortText?

    /// The numbers of the position report that is read.
    var numbers = ReportedNumbers()

    /// The date of the last time: its first eight bytes, and the last three with the T.
    private var date: (UInt64, UInt32) = (0, 0)
    /// The beginning of that date, in nanoseconds since 1970.
    private var midnight: Int64 = 0

    /// The order of the keys in the last satellites, and their number.
    var satelliteOrder = SatelliteOrder()
    var satelliteCount = 0
    /// The number of elements of a list that are kept: a line can have twenty thousand empty ones, which take megabytes,
    /// and gpsd has at most 184 satellites.
    static let listLimit = 512

    /// Reads a device's name.
    @inline(__always)
    mutating func name(from scanner: inout JSONScanner) throws(ReportError) -> String? {
        guard scanner.isAtString else {
            scanner.isMisfit = true
            return nil
        }
        if let deviceText, deviceText.isAt(scanner.cursor + 1) {
            scanner.cursor += deviceText.count + 1
            return device
        }
        if deviceText == nil, isDevice(at: scanner.cursor + 1, before: scanner.end) {
            scanner.cursor += deviceBytes.count + 2
            return device
        }
        let span = try scanner.stringSpan(from: scanner.cursor + 1)
        scanner.cursor = span.after
        return remember(span)
    }

    @inline(never)
    private func isDevice(at cursor: JSONScanner.Cursor, before end: JSONScanner.Cursor) -> Bool {
        deviceBytes.withUnsafeBufferPointer { bytes in
            guard bytes.count > 0, bytes.count < end - cursor, cursor[bytes.count] == UInt8(ascii: "\"") else {
                return false
            }
            for index in bytes.indices where bytes[index] != cursor[index] { return false }
            return true
        }
    }

    @inline(never)
    private mutating func remember(_ span: JSONScanner.StringSpan) -> String {
        let name = JSONScanner.string(span)
        if !span.hasEscapes, span.count <= 256 {
            device = name
            deviceBytes.removeAll(keepingCapacity: true)
            deviceBytes.append(contentsOf: UnsafeBufferPointer(start: span.first, count: span.count))
            deviceText = ShortText(UnsafeBufferPointer(start: span.first, count: span.count + 1))
        }
        return name
    }

    /// Reads a timestamp; a string that is not one, and a value of another type, is left to be skipped.
    @inline(__always)
    mutating func time(from scanner: inout JSONScanner) throws(ReportError) -> Timestamp? {
        if let time = timeOfKnownDate(at: scanner.cursor) {
            scanner.cursor += 26
            return time
        }
        let (time, after) = try anyTime(at: scanner.cursor, scanner)
        if time == nil {
            scanner.isMisfit = true
        } else {
            scanner.cursor = after
        }
        return time
    }

    /// Parses `"2026-11-20T08:56:59.123Z"` if it has the date of the last time.
    @inline(__always)
    private func timeOfKnownDate(at cursor: JSONScanner.Cursor) -> Timestamp? {
        guard cursor.pointee == UInt8(ascii: "\""), JSONScanner.word(cursor + 1) == date.0,
            JSONScanner.halfWord(cursor + 8) == date.1
        else { return nil }
        // 08:56:59 minus 00:00:00 leaves 0 … 9 for digits and 0 for colons.
        let clock = JSONScanner.word(cursor + 12) ^ 0x3030_3A30_303A_3030
        // .123Z" minus .000Z"
        let fraction = JSONScanner.word(cursor + 18) ^ 0x225A_3030_302E_3030
        // Adding this constant makes the largest allowed value of each byte 0x7F; a sum of two bytes without a high bit
        // never carries.
        let wrong =
            ((clock &+ 0x7676_7F76_767F_7676) | clock)
            | ((fraction &+ 0x7F7F_7676_767F_7676) | fraction)
        guard wrong & 0x8080_8080_8080_8080 == 0 else { return nil }
        func pair(_ index: UInt64) -> Int64 {
            Int64(truncatingIfNeeded: clock >> (index * 8) & 0xFF) * 10
                + Int64(truncatingIfNeeded: clock >> (index * 8 + 8) & 0xFF)
        }
        let (hour, minute, second) = (pair(0), pair(3), pair(6))
        guard hour < 24, minute < 60, second < 60 else { return nil }
        func digit(_ index: UInt64) -> Int64 { Int64(truncatingIfNeeded: fraction >> (index * 8) & 0xFF) }
        let milliseconds = (digit(3) * 10 + digit(4)) * 10 + digit(5)
        return Timestamp(
            nanosecondsSince1970: midnight + ((hour * 60 + minute) * 60 + second) * 1_000_000_000
                + milliseconds * 1_000_000)
    }

    @inline(never)
    private mutating func anyTime(
        at cursor: JSONScanner.Cursor, _ scanner: JSONScanner
    ) throws(ReportError) -> (Timestamp?, JSONScanner.Cursor) {
        guard cursor.pointee == UInt8(ascii: "\"") else { return (nil, cursor) }
        let span = try scanner.stringSpan(from: cursor + 1)
        let bytes = UnsafeBufferPointer(start: span.first, count: span.count)
        guard !span.hasEscapes else { return (Timestamp(JSONScanner.string(span)), span.after) }
        guard let time = Timestamp(utf8: bytes) else { return (nil, cursor) }
        let day: Int64 = 86_400_000_000_000
        if bytes.count == 24, bytes[10] == UInt8(ascii: "T"), bytes[23] == UInt8(ascii: "Z"),
            bytes[17] != UInt8(ascii: "6")
        {
            date = (JSONScanner.word(cursor + 1), JSONScanner.halfWord(cursor + 8))
            let sinceMidnight = time.nanosecondsSince1970 % day
            midnight = time.nanosecondsSince1970 - (sinceMidnight < 0 ? sinceMidnight + day : sinceMidnight)
        }
        return (time, span.after)
    }

    /// Reads a list of reports of one class; returns `nil` for a value of another type, or with an element of another type.
    mutating func reports<Report: KeyedObject>(
        _ type: Report.Type, from scanner: inout JSONScanner
    ) throws(ReportError) -> [Report]? {
        var list: [Report] = []
        var order = KeyOrder()
        let isList = try scanner.objects { (scanner) throws(ReportError) in
            scanner.cursor += 1
            var next = Report()
            _ = try scanner.members(of: &next, keys: Report.keys, in: &order, with: &self)
            if list.count < Self.listLimit { list.append(next) }
        }
        return isList ? list : nil
    }
}
