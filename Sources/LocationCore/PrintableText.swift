/// Text of others made safe for a terminal.
package enum PrintableText {
    /// Hands on a text, piece by piece: control characters of every kind become visible escapes, so that they can
    /// neither move the cursor nor change what a later line looks like.
    package static func write(_ text: String, _ put: (UnsafeBufferPointer<UInt8>) -> Void) {
        var text = text
        let isPlain = text.withUTF8 { bytes in
            guard bytes.allSatisfy({ 0x20...0x7E ~= $0 }) else { return false }
            put(bytes)
            return true
        }
        if isPlain { return }
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A: pass("\\n", put)
            case 0x0D: pass("\\r", put)
            case 0x09: pass("\\t", put)
            case 0..<0x20, 0x7F:
                pass("\\x\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))", put)
            case _ where scalar.isInvisible: pass("\\u{\(String(scalar.value, radix: 16))}", put)
            default: pass(String(scalar), put)
            }
        }
    }

    private static func pass(_ text: String, _ put: (UnsafeBufferPointer<UInt8>) -> Void) {
        var text = text
        text.withUTF8(put)
    }
}

extension Unicode.Scalar {
    /// Whether it could change the order or the look of other text instead of being seen itself.
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }
}
