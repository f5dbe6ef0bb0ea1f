import LocationCore

extension TextBuffer {
    /// Appends a line with an object that has the member `event`, then those that the closure appends.
    mutating func line(_ event: StaticString, _ members: (inout TextBuffer) -> Void) {
        put("{\"event\":\"")
        put(event)
        put(UInt8(ascii: "\""))
        members(&self)
        put("}\n")
    }

    private mutating func put(key: StaticString) {
        let length = key.utf8CodeUnitCount
        extend(by: length + 4) { place in
            place[0] = UInt8(ascii: ",")
            place[1] = UInt8(ascii: "\"")
            key.withUTF8Buffer { if let first = $0.baseAddress { (place + 2).update(from: first, count: length) } }
            place[length + 2] = UInt8(ascii: "\"")
            place[length + 3] = UInt8(ascii: ":")
            return length + 4
        }
    }

    mutating func member(_ key: StaticString, _ text: String?) {
        guard let text else { return }
        put(key: key)
        put(jsonString: text)
    }

    /// Appends a list of texts, unless it is empty.
    mutating func member(_ key: StaticString, _ texts: [String]) {
        guard !texts.isEmpty else { return }
        put(key: key)
        for (index, text) in texts.enumerated() {
            put(index == 0 ? "[" : ",")
            put(jsonString: text)
        }
        put("]")
    }

    mutating func member(_ key: StaticString, _ number: Int?) {
        guard let number else { return }
        put(key: key)
        put(number)
    }

    mutating func member(_ key: StaticString, _ number: Double?) {
        guard let number else { return }
        put(key: key)
        put(shortest: number)
    }

    /// Appends a latitude or longitude.
    mutating func member(_ key: StaticString, _ number: Double, _ precision: Precision) {
        put(key: key)
        switch precision {
        case .decimals(let decimals): put(trimmed: number, decimals: decimals)
        case .full: put(shortest: number)
        }
    }

    mutating func member(_ key: StaticString, _ flag: Bool) {
        put(key: key)
        put(flag ? "true" : "false")
    }

    mutating func member(_ key: StaticString, _ time: Timestamp?) {
        guard let time else { return }
        put(key: key)
        put(UInt8(ascii: "\""))
        put(rfc3339: time)
        put(UInt8(ascii: "\""))
    }

    /// Appends a duration in seconds, rounded to milliseconds.
    mutating func member(_ key: StaticString, _ duration: Duration?) {
        guard let duration else { return }
        put(key: key)
        put(trimmed: duration.inSeconds, decimals: 3)
    }

    /// Appends the values of a reason.
    mutating func members(of reason: SearchReason) {
        switch reason {
        case .starting, .noDevice, .unsuitable: break
        case .connecting(let attempt): member("attempt", attempt)
        case .connected(let release): member("release", release)
        case .noFix(let seen, let used, let best):
            member("seen", seen)
            member("used", used)
            member("best", best)
        case .deviceLost(let path), .deviceUnopenable(let path), .deviceSilent(let path), .deviceBabbling(let path):
            member("path", path)
        case .silent(let duration): member("silence", duration)
        }
    }
}

extension Duration {
    /// The duration as a number of seconds.
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
