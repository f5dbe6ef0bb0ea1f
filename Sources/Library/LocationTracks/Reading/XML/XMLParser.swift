import CExpat
import LocationCore

/// A parser that passes the elements and texts of an XML document to the reader of a track while the document is read.
///
/// No entity is expanded but the five of XML itself, no other file is read, and the memory is limited: an endless attribute,
/// endless nesting and an endless number of names all end in an error. So does a document of many megabytes with nothing
/// but the smallest elements, which compresses to a thousandth.
final class XMLParser: TrackFormatReader {
    /// The limit of a parser's memory in bytes; an ordinary track needs a few hundred kilobytes.
    static let memory = 16 << 20

    /// The work for elements and texts that any document may need: a text counts 1, and an element 3.
    static let work = 48 << 20
    /// The number of bytes that permit further work of 1.
    ///
    /// A point of a line takes 4 bytes and more, and an element with a value 12.
    static let bytesForWork = 4

    private let memory: Int
    private let work: Int
    private let parser: OpaquePointer
    // Kept alive for the parser, which has only a pointer to it.
    private let relay: Relay
    private var bytes = 0
    private var hasEnded = false

    /// The reader of the elements, and the parser to stop.
    private final class Relay {
        let reader: XMLTrackReader
        var parser: OpaquePointer?
        var work = 0
        private var wantsText = false

        init(_ reader: XMLTrackReader) { self.reader = reader }

        func check() {
            if reader.fault != nil { locwatch_expat_stop(parser) }
            let wantsText = reader.wantsText
            guard wantsText != self.wantsText else { return }
            self.wantsText = wantsText
            locwatch_expat_pass_text(parser, wantsText ? 1 : 0)
        }

        static func of(_ context: UnsafeMutableRawPointer?) -> Relay? {
            context.map { Unmanaged<Relay>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    init(
        _ reader: XMLTrackReader, memory: Int = XMLParser.memory, work: Int = XMLParser.work,
        soname: String = ExpatLibrary.soname
    ) throws(LocationError) {
        self.memory = memory
        self.work = work
        guard let library = ExpatLibrary.load(soname) else {
            throw .libraryMissing(name: soname, package: ExpatLibrary.package, path: "")
        }
        relay = Relay(reader)
        let created = locwatch_expat_parser_create(
            library.table, memory, Unmanaged.passUnretained(relay).toOpaque(),
            { context, name, attributes in
                guard let relay = Relay.of(context), let name else { return }
                relay.work += 3
                relay.reader.start(XMLName(name), XMLAttributes(attributes))
                relay.check()
            },
            { context, name in
                guard let relay = Relay.of(context), let name else { return }
                relay.reader.end(XMLName(name))
                relay.check()
            },
            { context, bytes, count in
                guard let relay = Relay.of(context), let bytes, count > 0 else { return }
                relay.work += 1
                bytes.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
                    relay.reader.text(UnsafeBufferPointer(start: $0, count: Int(count)))
                }
                relay.check()
            })
        guard let created else { throw .malformedTrack("there is not enough memory to read it") }
        parser = created
        relay.parser = created
        reader.parser = self
    }

    deinit { locwatch_expat_parser_free(parser) }

    var line: Int { Int(clamping: locwatch_expat_line(parser)) }

    /// Reads the next piece; a document is torn that ends before its last element does.
    func read(_ piece: UnsafeRawBufferPointer) throws(LocationError) -> Bool {
        guard !hasEnded else { return false }
        hasEnded = piece.isEmpty
        let result = locwatch_expat_parse(
            parser, piece.baseAddress, Int32(clamping: piece.count), piece.isEmpty ? 1 : 0)
        if result != locwatch_expat_ok { hasEnded = true }
        bytes += piece.count
        if relay.work > work, relay.work > bytes / Self.bytesForWork {
            throw .malformedTrack(line: line, "it has millions of elements without content, as no track does")
        }
        switch result {
        case locwatch_expat_ok: return false
        case locwatch_expat_torn: return true
        case locwatch_expat_stopped: throw relay.reader.fault ?? .malformedTrack(line: line, "reading was stopped")
        case locwatch_expat_declaration:
            throw .malformedTrack(
                line: line, "it declares an entity or an attribute, which is not permitted in a track")
        case locwatch_expat_memory:
            throw .malformedTrack(
                line: line, "its XML needs more than \(memory >> 20) MB of memory, as no track does")
        default:
            let text = locwatch_expat_message(parser).map { String(cString: $0) } ?? "it is not well-formed"
            throw .malformedTrack(line: line, "the XML is damaged: \(text)")
        }
    }
}
