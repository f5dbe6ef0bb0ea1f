import Glibc

/// The name of an element or an attribute without its prefix, as the parser provides it.
///
/// Files with undeclared or unusual prefixes are common, so a prefix is ignored instead of resolved.
struct XMLName {
    private let bytes: UnsafeBufferPointer<CChar>
    /// The prefix of the namespace with its colon, or nothing.
    fileprivate let prefix: UnsafeBufferPointer<CChar>

    init(_ text: UnsafePointer<CChar>) {
        let count = strlen(text)
        var start = 0
        for index in 0..<count where text[index] == CChar(bitPattern: UInt8(ascii: ":")) { start = index + 1 }
        bytes = UnsafeBufferPointer(start: text + start, count: count - start)
        prefix = UnsafeBufferPointer(start: text, count: start)
    }

    @inline(__always) static func == (name: XMLName, text: StaticString) -> Bool {
        guard name.bytes.count == text.utf8CodeUnitCount, let start = name.bytes.baseAddress else { return false }
        return memcmp(start, text.utf8Start, name.bytes.count) == 0
    }

    func hasPrefix(_ text: StaticString) -> Bool {
        guard prefix.count == text.utf8CodeUnitCount, let start = prefix.baseAddress else { return false }
        return memcmp(start, text.utf8Start, prefix.count) == 0
    }

    /// The name for a message.
    var text: String { String(decoding: bytes.prefix(64).map { UInt8(bitPattern: $0) }, as: UTF8.self) }
}

/// The prefix of a format's own elements, which is that of the outermost one; an element with another one belongs to another
/// program, even if its name is known.
struct OwnPrefix {
    private var prefix: [CChar] = []

    init() {}

    /// Takes the prefix of the outermost element.
    init(of name: XMLName) { prefix = Array(name.prefix) }

    func isForeign(_ name: XMLName) -> Bool { !name.prefix.isEmpty && !name.prefix.elementsEqual(prefix) }
}

/// The attributes of an element, as the parser provides them.
struct XMLAttributes {
    private let list: UnsafeMutablePointer<UnsafePointer<CChar>?>?

    init(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) { self.list = list }

    /// Calls a function with the name and the value of each attribute.
    func forEach(_ body: (XMLName, UnsafeBufferPointer<UInt8>) -> Void) {
        guard var place = list else { return }
        while let name = place[0], let value = place[1] {
            let count = strlen(value)
            value.withMemoryRebound(to: UInt8.self, capacity: count) {
                body(XMLName(name), UnsafeBufferPointer(start: $0, count: count))
            }
            place += 2
        }
    }
}

/// A receiver of the elements and texts of an XML document.
protocol XMLReceiver: AnyObject {
    /// The reason why reading must end, if any.
    var fault: TrackFault? { get }
    /// Whether the text that follows is passed to `text(_:)`.
    var wantsText: Bool { get }
    func start(_ name: XMLName, _ attributes: XMLAttributes)
    func end(_ name: XMLName)
    /// Processes a part of a text.
    func text(_ bytes: UnsafeBufferPointer<UInt8>)
}
