import LocationCore

// A list of satellites is most of what a receiver sends, and all of its satellites have the same keys, so they are read in the order of
// the last ones, and their numbers in the forms that gpsd writes. All else is read member by member, as in any other object, at any place
// of the list.

extension DecoderCache {
    /// Reads a list of satellites, or returns `nil` for a value of another type, or with an element of another type.
    ///
    /// - Returns: The satellites, and the fields of which one of them had an implausible value.
    @inline(never)
    mutating func satellites(
        from scanner: inout JSONScanner
    ) throws(ReportError) -> (list: [Satellite]?, faults: ImplausibleFields) {
        var faults: ImplausibleFields = []
        var order = satelliteOrder
        let steps = SatelliteOrder.Step.all.first
        var isList = false
        // The list has the size of the last one; more satellites are appended.
        var others: [Satellite] = []
        var list = try [Satellite](capacity: satelliteCount) { (list) throws(ReportError) in
            isList = try scanner.objects { (scanner) throws(ReportError) in
                var (satellite, wrong) = (Satellite(), ImplausibleFields())
                try scanner.read(&satellite, &wrong, in: &order, steps)
                if list.freeCapacity > 0 {
                    list.append(satellite)
                } else if list.count + others.count < Self.listLimit {
                    others.append(satellite)
                } else {
                    return
                }
                faults.formUnion(wrong)
            }
        }
        guard isList else { return (nil, []) }
        if !others.isEmpty { list += others }
        (satelliteOrder, satelliteCount) = (order, list.count)
        return (list, faults)
    }
}

extension JSONScanner {
    /// Reads a satellite, from its opening brace to after its closing one.
    @inline(__always)
    fileprivate mutating func read(
        _ satellite: inout Satellite, _ faults: inout ImplausibleFields, in order: inout SatelliteOrder,
        _ steps: UnsafePointer<SatelliteOrder.Step>
    ) throws(ReportError) {
        var rest = order.keys
        while true {
            // The cursor is at the opening brace or at a comma.
            let word = JSONScanner.word(cursor + 1)
            var next = rest
            var step = steps + Int(truncatingIfNeeded: next & 15)
            var isExpected = true
            while word & step.pointee.mask != step.pointee.text || cursor[step.pointee.length] != UInt8(ascii: ":") {
                next >>= 4
                guard next != 0 else {
                    isExpected = false
                    break
                }
                step = steps + Int(truncatingIfNeeded: next & 15)
            }
            if isExpected {
                cursor += step.pointee.length &+ 1
                rest = next >> 4
                if !isRead(step.pointee.key, of: &satellite) {
                    cursor = try satelliteValue(step.pointee.key, at: cursor, of: &satellite, &faults)
                }
            } else {
                (cursor, rest) = try satelliteMember(at: cursor, of: &satellite, &faults, in: &order, before: rest)
            }
            if cursor.pointee == UInt8(ascii: ",") { continue }
            skipSpace()
            if cursor.pointee == UInt8(ascii: ",") { continue }
            guard cursor.pointee == UInt8(ascii: "}") else { throw failure(at: cursor) }
            cursor += 1
            return
        }
    }

    /// Reads a plausible value in the form that gpsd writes, or returns `false` and reads nothing.
    @inline(__always)
    private mutating func isRead(_ key: SatelliteKey, of satellite: inout Satellite) -> Bool {
        switch key {
        case .el:
            guard let tenths = tenths(upTo: 900) else { return false }
            satellite.elevation = Double(tenths) / 10
        case .az:
            guard let tenths = tenths(upTo: 3600) else { return false }
            satellite.azimuth = Double(tenths) / 10
        case .ss:
            guard let tenths = tenths(upTo: 1000) else { return false }
            satellite.signal = tenths == 0 ? nil : Double(tenths) / 10
        case .prRes:
            guard let tenths = tenths(upTo: 9999) else { return false }
            satellite.residual = Double(tenths) / 10
        case .PRN:
            guard let count = count() else { return false }
            satellite.prn = count
        case .svid:
            guard let count = count() else { return false }
            satellite.number = count
        case .gnssid:
            guard let count = digit() else { return false }
            satellite.constellation = Constellation(rawValue: count)
        case .sigid:
            guard let count = digit() else { return false }
            satellite.signalBand = count
        case .freqid:
            let first = cursor
            guard let count = count() else { return false }
            guard count < 256 else {
                cursor = first
                return false
            }
            satellite.frequencySlot = count
        case .health:
            guard let count = digit() else { return false }
            satellite.health = Satellite.Health(rawValue: count)
        case .qual:
            guard let count = digit() else { return false }
            satellite.quality = count
        case .used:
            let word = JSONScanner.word(cursor)
            let isUsed = word & 0xFFFF_FFFF == 0x6575_7274  // "true"
            guard isUsed || word & 0xFF_FFFF_FFFF == 0x65_736C_6166 else { return false }  // "false"
            satellite.isUsed = isUsed
            cursor += isUsed ? 4 : 5
        case .pr, .prRate: return false
        }
        return true
    }

    /// Reads a number below 1,000 with one decimal, in tenths, or returns `nil` and reads nothing.
    @inline(__always)
    private mutating func tenths(upTo limit: UInt32) -> UInt32? {
        let first = UInt32(cursor[0] &- UInt8(ascii: "0"))
        var (number, length) = (UInt32(0), 4)
        // The first digit is not zero unless it is the only one before the point.
        if let tenths = JSONScanner.tenths(JSONScanner.halfWord(cursor)), first != 0 {
            number = tenths
        } else if let tenths = JSONScanner.tenths(JSONScanner.halfWord(cursor + 1)), 1...9 ~= first {
            (number, length) = (first &* 1000 &+ tenths, 5)
        } else {
            let last = UInt32(cursor[2] &- UInt8(ascii: "0"))
            guard first < 10, cursor[1] == UInt8(ascii: "."), last < 10 else { return nil }
            (number, length) = (first &* 10 &+ last, 3)
        }
        guard number <= limit, isEndOfMember(cursor[length]) else { return nil }
        cursor += length
        return number
    }

    /// Returns the tenths of a text of the form `12.3`, or `nil` for any other.
    @inline(__always)
    private static func tenths(_ text: UInt32) -> UInt32? {
        // A digit has 3 in its upper half, also after adding 6.
        guard text & 0xF0FF_F0F0 == 0x302E_3030, (text &+ 0x0600_0606) & 0xF0FF_F0F0 == 0x302E_3030 else { return nil }
        // The multiples of the three digits meet above the 24th bit. The second one comes a hundredfold above the 32nd bit, too,
        // where its lowest two bits are 0.
        let sum = UInt64(text & 0x0F00_0F0F) &* (100 << 24 + 10 << 16 + 1)
        return UInt32(truncatingIfNeeded: sum >> 24) & 0x3FF
    }

    /// Reads a number of one digit, or returns `nil` and reads nothing.
    @inline(__always)
    private mutating func digit() -> Int? {
        let number = Int(truncatingIfNeeded: cursor[0] &- UInt8(ascii: "0"))
        guard number < 10, isEndOfMember(cursor[1]) else { return nil }
        cursor += 1
        return number
    }

    /// Reads a number of up to four digits, or returns `nil` and reads nothing.
    @inline(__always)
    private mutating func count() -> Int? {
        var number = UInt(cursor[0] &- UInt8(ascii: "0"))
        guard number < 10 else { return nil }
        var end = cursor + 1
        while end.pointee != UInt8(ascii: ",") {
            let digit = UInt(end.pointee &- UInt8(ascii: "0"))
            guard digit < 10 else {
                if end.pointee == UInt8(ascii: "}") { break }
                return nil
            }
            // The first digit is not zero unless it is the only one.
            guard number &- 1 < 999 else { return nil }
            number = number &* 10 &+ digit
            end += 1
        }
        cursor = end
        return Int(number)
    }

    @inline(__always)
    private func isEndOfMember(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") }

    /// Reads a value of any form, and returns the cursor after it.
    @inline(never)
    private func satelliteValue(
        _ key: SatelliteKey, at cursor: Cursor, of satellite: inout Satellite, _ faults: inout ImplausibleFields
    ) throws(ReportError) -> Cursor {
        var scanner = self
        scanner.cursor = cursor
        scanner.skipSpace()
        try satellite.read(key, from: &scanner, &faults)
        return scanner.isMisfit ? try skipped(from: scanner.cursor) : scanner.cursor
    }

    /// Reads a member of any form, and expects its key at this place from now on.
    ///
    /// - Parameters:
    ///   - cursor: The opening brace or the comma before the member.
    ///   - rest: The keys that were expected.
    /// - Returns: The cursor after the member, and the keys that are expected after it.
    @inline(never)
    private func satelliteMember(
        at cursor: Cursor, of satellite: inout Satellite, _ faults: inout ImplausibleFields,
        in order: inout SatelliteOrder, before rest: UInt64
    ) throws(ReportError) -> (Cursor, rest: UInt64) {
        var scanner = self
        scanner.cursor = cursor + 1
        scanner.skipSpace()
        if cursor.pointee == UInt8(ascii: "{"), scanner.cursor.pointee == UInt8(ascii: "}") {
            return (scanner.cursor, rest)
        }
        guard scanner.isAtString else { throw failure(at: scanner.cursor) }
        let (found, name) = try scanner.found(at: scanner.cursor + 1, in: SatelliteKey.table)
        scanner.cursor = name.after
        try scanner.expect(UInt8(ascii: ":"))
        guard let found else {
            scanner.skipSpace()
            return (try skipped(from: scanner.cursor), rest)
        }
        let key = (SatelliteKey.table.entries.first + found).pointee.key
        let after = order.expect(key, before: rest)
        return (try satelliteValue(key, at: scanner.cursor, of: &satellite, &faults), after)
    }
}
