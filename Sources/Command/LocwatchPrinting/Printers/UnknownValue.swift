import LocationCore

extension TextBuffer {
    /// Appends the dash that stands for an unknown value.
    mutating func putUnknown() { put(UInt8(ascii: "-")) }

    /// Appends a value, or a dash if it is unknown.
    @inline(__always)
    mutating func put<Value>(_ value: Value?, _ write: (inout TextBuffer, Value) -> Void) {
        if let value { write(&self, value) } else { putUnknown() }
    }
}
