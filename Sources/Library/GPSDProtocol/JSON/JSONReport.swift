extension JSONScanner {
    /// Reads the report of a line.
    static func report(
        at start: Cursor, count: Int, with cache: inout DecoderCache
    ) throws(ReportError) -> GPSDReport {
        var scanner = JSONScanner(start: start, count: count)
        scanner.skipSpace()
        guard scanner.cursor < scanner.end else { throw ReportError(.empty, offset: scanner.cursor - start) }
        guard scanner.cursor.pointee == UInt8(ascii: "{") else {
            throw ReportError(.notAnObject, offset: scanner.cursor - start)
        }
        let first = scanner.cursor + 1
        // gpsd writes the class first. If it is elsewhere, or there is a second one, the whole line is searched for it.
        if JSONScanner.word(first) == 0x3A22_7373_616C_6322, first[8] == UInt8(ascii: "\"") {  // "class":
            let name = JSONScanner.word(first + 9)
            let mark = JSONScanner.bytes(of: name, equalTo: KeyWords.ofQuotes)
            let count = mark.trailingZeroBitCount >> 3
            // A name that ends with a zero byte is not a known class, although its word may look like one.
            if mark != 0, first[8 + count] != 0 {
                let word = name & (((mark & (0 &- mark)) >> 7) &- 1)
                scanner.cursor = first + 10 + count
                if let report = try scanner.report(of: word, isSettled: false, with: &cache) {
                    return report
                }
            }
        }
        scanner.cursor = first
        let name = try scanner.className()
        scanner.cursor = first
        if name.utf8.last != 0, let words = KeyWords(name.utf8), words.high == 0,
            let report = try scanner.report(of: words.low, isSettled: true, with: &cache)
        {
            return report
        }
        return .other(class: name)
    }

    /// Reads the object as a class, given as the word of its name.
    ///
    /// - Parameter isSettled: Whether the cursor is at the first member and the key `class` is ignored; otherwise it is
    ///   after the first member, which named the class.
    /// - Returns: The report, or `nil` if the class is unknown or another `class` follows.
    @inline(__always)
    private mutating func report(
        of classWord: UInt64, isSettled: Bool, with cache: inout DecoderCache
    ) throws(ReportError) -> GPSDReport? {
        let asked = isSettled ? 0 : classWord
        var order = KeyOrder()
        switch classWord {
        case 0x4E_4F49_5352_4556:  // VERSION
            return try read(VersionReport.self, asked, &cache, &order).map { .version($0) }
        case 0x48_4354_4157:  // WATCH
            return try read(WatchReport.self, asked, &cache, &order).map { .watch($0) }
        case 0x53_4543_4956_4544:  // DEVICES
            return try read(DevicesReport.self, asked, &cache, &order).map { .devices($0) }
        case 0x4543_4956_4544:  // DEVICE
            return try read(DeviceReport.self, asked, &cache, &order).map { .device($0) }
        case 0x56_5054:  // TPV
            order = cache.tpvOrder
            let report = try read(TPVReport.self, asked, &cache, &order)
            cache.tpvOrder = order
            return report.map { .tpv($0) }
        case 0x59_4B53:  // SKY
            order = cache.skyOrder
            let report = try read(SKYReport.self, asked, &cache, &order)
            cache.skyOrder = order
            return report.map { .sky($0) }
        case 0x54_5441:  // ATT
            return try read(ATTReport.self, asked, &cache, &order).map { .att($0) }
        case 0x54_5347:  // GST
            return try read(GSTReport.self, asked, &cache, &order).map { .gst($0) }
        case 0x4646_4F54:  // TOFF
            return try read(ClockComparisonReport.self, asked, &cache, &order).map { .toff($0) }
        case 0x53_5050:  // PPS
            return try read(ClockComparisonReport.self, asked, &cache, &order).map { .pps($0) }
        case 0x4C4C_4F50:  // POLL
            return try read(PollReport.self, asked, &cache, &order).map { .poll($0) }
        case 0x52_4F52_5245:  // ERROR
            return try read(ErrorReport.self, asked, &cache, &order).map { .error($0) }
        case 0x4843_5441_5743_4F4C:  // LOCWATCH
            return try read(RecordingMark.self, asked, &cache, &order).map { .mark($0) }
        default: return nil
        }
    }

    @inline(__always)
    private func read<Report: KeyedObject>(
        _ type: Report.Type, _ classWord: UInt64, _ cache: inout DecoderCache,
        _ order: inout KeyOrder
    ) throws(ReportError) -> Report? {
        var scanner = self
        var report = Report()
        guard
            try scanner.members(
                of: &report, keys: Report.keys, in: &order, with: &cache, classWord: classWord, isFirst: classWord == 0
            )
        else { return nil }
        try scanner.finish()
        return report
    }

    /// Checks that only white space follows.
    @inline(__always)
    private mutating func finish() throws(ReportError) {
        skipSpace()
        guard cursor == end else { throw ReportError(.trailingBytes, offset: cursor - start) }
    }

    /// Reads the whole object, checks the bytes after it, and returns its class; the last `class` counts.
    private mutating func className() throws(ReportError) -> String {
        let object = cursor - 1
        var name: String?
        try elements(until: UInt8(ascii: "}")) { (scanner) throws(ReportError) in
            let key = try scanner.keySpan()
            scanner.skipSpace()
            if JSONScanner.isClass(key) {
                name = scanner.isAtString ? JSONScanner.string(try scanner.stringSpan(from: scanner.cursor + 1)) : nil
            }
            scanner.cursor = try scanner.skipped(from: scanner.cursor)
        }
        try finish()
        guard let name else { throw ReportError(.noClass, offset: object - start) }
        return name
    }

    static func isClass(_ key: StringSpan) -> Bool {
        if key.hasEscapes { return string(key) == "class" }
        return key.count == 5 && word(key.first) & 0xFF_FFFF_FFFF == KeyWords.ofClass
    }
}
