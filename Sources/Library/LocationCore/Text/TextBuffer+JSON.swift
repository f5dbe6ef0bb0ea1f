// The only writer of JSON objects and lists. A member whose value is unknown or not finite is omitted.

extension TextBuffer {
    /// Appends a JSON string with its quotes; hidden characters are escaped.
    package mutating func put(jsonString text: String) {
        var text = text
        let isPlain = text.withUTF8 { bytes in
            guard !JSONText.mayNeedEscapes(bytes) else { return false }
            extend(by: bytes.count + 2) { place in
                place.pointee = UInt8(ascii: "\"")
                if let first = bytes.baseAddress { (place + 1).update(from: first, count: bytes.count) }
                place[bytes.count + 1] = UInt8(ascii: "\"")
                return bytes.count + 2
            }
            return true
        }
        if isPlain { return }
        put(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars { put(JSONText.escaped(scalar)) }
        put(UInt8(ascii: "\""))
    }

    package mutating func object(_ members: (inout TextBuffer) -> Void) {
        put(UInt8(ascii: "{"))
        members(&self)
        put(UInt8(ascii: "}"))
    }

    package mutating func list<Element>(
        _ elements: some Sequence<Element>, _ element: (inout TextBuffer, Element) -> Void
    ) {
        put(UInt8(ascii: "["))
        var isFirst = true
        for value in elements {
            if !isFirst { put(UInt8(ascii: ",")) }
            isFirst = false
            element(&self, value)
        }
        put(UInt8(ascii: "]"))
    }

    /// Appends a line with an object that has the member `event`, then those that the closure appends.
    package mutating func line(_ event: StaticString, _ members: (inout TextBuffer) -> Void) {
        beginLine(event)
        members(&self)
        put("}\n")
    }

    /// Appends the beginning of such a line.
    package mutating func beginLine(_ event: StaticString) {
        let (beginning, length) = ("{\"event\":\"" as StaticString, event.utf8CodeUnitCount)
        extend(by: beginning.utf8CodeUnitCount + length + 1) { place in
            place.update(from: beginning.utf8Start, count: beginning.utf8CodeUnitCount)
            let name = place + beginning.utf8CodeUnitCount
            name.copy(from: event.utf8Start, count: length)
            name[length] = UInt8(ascii: "\"")
            return name - place + length + 1
        }
    }

    /// Appends the key of the next member, after a comma unless it is the first of its object.
    package mutating func put(key: StaticString) {
        let isFirst = last == UInt8(ascii: "{")
        extend(by: key.utf8CodeUnitCount + 4) { place in
            let end = Self.write(key, isFirst, at: place)
            return end - place
        }
    }

    /// Writes a key, for which there is room for four bytes more than it has, and returns the place after it.
    @inline(__always)
    private static func write(
        _ key: StaticString, _ isFirst: Bool, at place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        let length = key.utf8CodeUnitCount
        place.pointee = UInt8(ascii: ",")
        let start = isFirst ? place : place + 1
        start.pointee = UInt8(ascii: "\"")
        (start + 1).copy(from: key.utf8Start, count: length)
        start[length + 1] = UInt8(ascii: "\"")
        start[length + 2] = UInt8(ascii: ":")
        return start + (length + 3)
    }

    /// Appends a key in the same way.
    package mutating func put(key: String) {
        if last != UInt8(ascii: "{") { put(UInt8(ascii: ",")) }
        put(jsonString: key)
        put(UInt8(ascii: ":"))
    }

    package mutating func member(_ key: StaticString, _ text: String?) {
        guard let text else { return }
        put(key: key)
        put(jsonString: text)
    }

    /// Appends a list of texts, unless it is empty.
    package mutating func member(_ key: StaticString, _ texts: [String]) {
        guard !texts.isEmpty else { return }
        put(key: key)
        list(texts) { $0.put(jsonString: $1) }
    }

    package mutating func member(_ key: StaticString, _ number: Int?) {
        guard let number else { return }
        put(key: key)
        put(number)
    }

    /// Appends a number with the fewest digits that read back to the same number.
    package mutating func member(_ key: StaticString, _ number: Double?) {
        guard let number, number.isFinite else { return }
        put(key, most: DecimalText.room) { DecimalText.write(shortest: number, at: $0) }
        if last == UInt8(ascii: ":") { put(DecimalText.writtenOut(number)) }
    }

    /// Appends a number that is rounded to a number of decimals, without trailing zeros.
    package mutating func member(_ key: StaticString, _ number: Double?, decimals: Int) {
        guard let number, number.isFinite else { return }
        put(key, most: DecimalText.room) { DecimalText.write(number, decimals: decimals, trimmed: true, at: $0) }
        if last == UInt8(ascii: ":") { put(DecimalText.writtenOut(number)) }
    }

    package mutating func member(_ key: StaticString, _ flag: Bool) {
        put(key: key)
        put(flag ? "true" : "false")
    }

    /// Appends a time as RFC 3339 in UTC, truncated to milliseconds.
    package mutating func member(_ key: StaticString, _ time: Timestamp?) {
        guard let time else { return }
        put(key, most: Timestamp.room + 2) { place in
            place.pointee = UInt8(ascii: "\"")
            let length = time.write(fractionDigits: 3, at: place + 1)
            place[length + 1] = UInt8(ascii: "\"")
            return length + 2
        }
    }

    /// Appends a key and a value of at most `most` bytes, which `write` writes and counts.
    @inline(__always)
    private mutating func put(
        _ key: StaticString, most: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int?
    ) {
        let isFirst = last == UInt8(ascii: "{")
        extend(by: key.utf8CodeUnitCount + 4 + most) { place in
            let value = Self.write(key, isFirst, at: place)
            return value - place + (write(value) ?? 0)
        }
    }

    /// Appends a duration in seconds, rounded to milliseconds.
    package mutating func member(_ key: StaticString, _ duration: Duration?) {
        guard let duration else { return }
        put(key: key)
        put(trimmed: duration.inSeconds, decimals: 3)
    }

    package mutating func object(_ key: StaticString, _ members: (inout TextBuffer) -> Void) {
        put(key: key)
        object(members)
    }

    package mutating func list<Element>(
        _ key: StaticString, _ elements: some Sequence<Element>, _ members: (inout TextBuffer, Element) -> Void
    ) {
        put(key: key)
        list(elements) { out, element in out.object { members(&$0, element) } }
    }
}

extension UnsafeMutablePointer<UInt8> {
    /// Copies the bytes of a short word, which are 3 to 16 for nearly all keys, by two words that overlap.
    ///
    /// The call of a library function for each key took a tenth of the instructions of a printed position.
    @inline(__always)
    fileprivate func copy(from source: UnsafePointer<UInt8>, count: Int) {
        switch count {
        case 8...16: copyEnds(of: UInt64.self, from: source, count: count)
        case 4...7: copyEnds(of: UInt32.self, from: source, count: count)
        case 2...3: copyEnds(of: UInt16.self, from: source, count: count)
        default: update(from: source, count: count)
        }
    }

    /// Copies the first and the last bytes, as many as a word has each.
    @inline(__always)
    private func copyEnds<Word: FixedWidthInteger & BitwiseCopyable>(
        of type: Word.Type, from source: UnsafePointer<UInt8>, count: Int
    ) {
        let last = count - MemoryLayout<Word>.size
        let (target, origin) = (UnsafeMutableRawPointer(self), UnsafeRawPointer(source))
        target.storeBytes(of: origin.loadUnaligned(as: type), as: type)
        target.storeBytes(of: origin.loadUnaligned(fromByteOffset: last, as: type), toByteOffset: last, as: type)
    }
}
