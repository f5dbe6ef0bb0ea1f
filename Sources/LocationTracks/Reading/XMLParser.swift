import CExpat

/// A parser that passes the elements and texts of an XML document to a receiver while the document is read.
///
/// No entity is expanded but the five of XML itself, no other file is read, and the memory is limited: an endless attribute,
/// endless nesting and an endless number of names all end in an error.
final class XMLParser {
    /// The limit of a parser's memory in bytes; an ordinary track needs a few hundred kilobytes.
    static let memory = 16 << 20

    private let memory: Int
    private let parser: OpaquePointer
    // Kept alive for the parser, which has only a pointer to it.
    private let relay: Relay
    private var hasEnded = false

    /// The receiver, and the parser to stop.
    private final class Relay {
        let receiver: any XMLReceiver
        var parser: OpaquePointer?

        init(_ receiver: any XMLReceiver) { self.receiver = receiver }

        func check() {
            if receiver.fault != nil { locwatch_expat_stop(parser) }
        }

        static func of(_ context: UnsafeMutableRawPointer?) -> Relay? {
            context.map { Unmanaged<Relay>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    init(
        _ receiver: any XMLReceiver, memory: Int = XMLParser.memory, soname: String = ExpatLibrary.soname
    ) throws(TrackFault) {
        self.memory = memory
        guard let library = ExpatLibrary.load(soname) else {
            throw .libraryMissing(library: soname, package: ExpatLibrary.package)
        }
        relay = Relay(receiver)
        let created = locwatch_expat_parser_create(
            library.table, memory, Unmanaged.passUnretained(relay).toOpaque(),
            { context, name, attributes in
                guard let relay = Relay.of(context), let name else { return }
                relay.receiver.start(XMLName(name), XMLAttributes(attributes))
                relay.check()
            },
            { context, name in
                guard let relay = Relay.of(context), let name else { return }
                relay.receiver.end(XMLName(name))
                relay.check()
            },
            { context, bytes, count in
                guard let relay = Relay.of(context), let bytes, count > 0 else { return }
                bytes.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
                    relay.receiver.text(UnsafeBufferPointer(start: $0, count: Int(count)))
                }
            })
        guard let created else { throw .malformed(line: 0, cause: "there is not enough memory to read it") }
        parser = created
        relay.parser = created
    }

    deinit { locwatch_expat_parser_free(parser) }

    /// The number of the current line.
    var line: Int { Int(clamping: locwatch_expat_line(parser)) }

    /// Reads the next piece of the document; an empty piece ends it.
    ///
    /// - Returns: Whether the document is torn: it ends before its last element does.
    func read(_ piece: UnsafeRawBufferPointer) throws(TrackFault) -> Bool {
        guard !hasEnded else { return false }
        hasEnded = piece.isEmpty
        let result = locwatch_expat_parse(
            parser, piece.baseAddress, Int32(clamping: piece.count), piece.isEmpty ? 1 : 0)
        if result != locwatch_expat_ok { hasEnded = true }
        switch result {
        case locwatch_expat_ok: return false
        case locwatch_expat_torn: return true
        case locwatch_expat_stopped: throw relay.receiver.fault ?? .malformed(line: line, cause: "reading was stopped")
        case locwatch_expat_declaration:
            throw .malformed(
                line: line, cause: "it declares an entity or an attribute, which is not permitted in a track")
        case locwatch_expat_memory:
            throw .malformed(
                line: line, cause: "its XML needs more than \(memory >> 20) MB of memory, as no track does")
        default:
            let text = locwatch_expat_message(parser).map { String(cString: $0) } ?? "it is not well-formed"
            throw .malformed(line: line, cause: "the XML is damaged: \(text)")
        }
    }
}
