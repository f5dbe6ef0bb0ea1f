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
