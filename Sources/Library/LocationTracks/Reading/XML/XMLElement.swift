import Glibc

/// The name of an element or an attribute without its prefix, as the parser provides it.
///
/// Files with undeclared or unusual prefixes are common, so a prefix is ignored instead of resolved.
struct XMLName {
    private let bytes: UnsafeBufferPointer<CChar>
    /// The prefix of the namespace with its colon, or nothing.
    let prefix: UnsafeBufferPointer<CChar>

    init(_ text: UnsafePointer<CChar>) {
        let count = strlen(text)
        var start = 0
        for index in 0..<count where text[index] == CChar(bitPattern: UInt8(ascii: ":")) { start = index + 1 }
        bytes = UnsafeBufferPointer(start: text + start, count: count - start)
        prefix = UnsafeBufferPointer(start: text, count: start)
    }

    @inline(__always) static func == (name: XMLName, text: StaticString) -> Bool { equal(name.bytes, text) }

    func hasPrefix(_ text: StaticString) -> Bool { Self.equal(prefix, text) }

    @inline(__always)
    private static func equal(_ bytes: UnsafeBufferPointer<CChar>, _ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount, let start = bytes.baseAddress else { return false }
        return memcmp(start, text.utf8Start, bytes.count) == 0
    }

    /// Whether the prefix is another than that of a format's own elements.
    ///
    /// Such an element belongs to another program, even if its name is known.
    func isForeign(to own: [CChar]) -> Bool { !prefix.isEmpty && !prefix.elementsEqual(own) }

    var text: String { String(decoding: bytes.prefix(64).map { UInt8(bitPattern: $0) }, as: UTF8.self) }
}

/// The attributes of an element, as the parser provides them.
struct XMLAttributes {
    private let list: UnsafeMutablePointer<UnsafePointer<CChar>?>?

    init(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) { self.list = list }

    /// Returns whether the attribute with a name has a value.
    func have(_ name: StaticString, _ value: StaticString) -> Bool {
        let value = UnsafeBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount)
        return self.value(name)?.elementsEqual(value) ?? false
    }

    /// Returns the value of the attribute with a name, or `nil` if there is none.
    func value(_ name: StaticString) -> UnsafeBufferPointer<UInt8>? {
        guard var place = list else { return nil }
        while let other = place[0], let value = place[1] {
            if XMLName(other) == name {
                return UnsafeRawBufferPointer(start: value, count: strlen(value)).assumingMemoryBound(to: UInt8.self)
            }
            place += 2
        }
        return nil
    }
}
