import LocationCore

/// A reader of a track in pieces: GPX, KML, TCX, GeoJSON, CSV and IGC, of locwatch and of other programs.
///
/// The memory does not depend on the size of the file, but for what `PointSorter` holds back. While `hasMore` is true
/// after a piece, call `resume()`, so that the points of one large element come in several steps.
package final class TrackReader {
    private enum Format {
        case xml(XMLParser, Root)
        case geojson(GeoJSONReader)
        case csv(CSVReader)
        case igc(IGCReader)
    }

    private let collector: PointCollector
    private let sorter: PointSorter
    private let format: Format
    private var hasEnded = false

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - times: The times for points without a time.
    ///   - memory: The limit of the memory for the parser of XML, in bytes.
    ///   - emit: Called with each element as it is read.
    package init(
        _ kind: TrackKind, times: TimelessPoints, memory: Int = 16 << 20, emit: @escaping (ReadElement) -> Void
    ) throws(TrackFault) {
        let isInOrder = kind == .csv
        let sorter = PointSorter(isInOrder: isInOrder, emit: emit)
        collector = PointCollector(times: times, isInOrder: isInOrder) { sorter.process($0) }
        self.sorter = sorter
        switch kind {
        case .xml:
            let root = Root(collector)
            let parser = try XMLParser(root, memory: memory)
            root.parser = parser
            format = .xml(parser, root)
        case .geojson: format = .geojson(GeoJSONReader(collector))
        case .csv: format = .csv(CSVReader(collector))
        case .igc: format = .igc(IGCReader(collector))
        }
    }

    /// Reads the next bytes of the file; an empty piece ends it.
    package func read(_ piece: UnsafeRawBufferPointer) throws(TrackFault) {
        guard !hasEnded else { return }
        try emitting { () throws(TrackFault) in try begin(piece) }
    }

    /// Emits what is held back if reading ends with a fault, because the points before it count.
    private func emitting(_ body: () throws(TrackFault) -> Void) throws(TrackFault) {
        do throws(TrackFault) { try body() } catch {
            sorter.finish()
            throw error
        }
    }

    private func begin(_ piece: UnsafeRawBufferPointer) throws(TrackFault) {
        guard var beginning else { return try parse(piece) }
        // The first bytes of a pipe can be less than the mark.
        beginning.append(contentsOf: piece)
        self.beginning = beginning
        guard piece.isEmpty || beginning.count > TrackKind.mark.count else { return }
        self.beginning = nil
        if beginning.starts(with: TrackKind.mark) { beginning.removeFirst(TrackKind.mark.count) }
        if !beginning.isEmpty {
            try beginning.withUnsafeBufferPointer { bytes throws(TrackFault) in
                try parse(UnsafeRawBufferPointer(bytes))
            }
        }
        if piece.isEmpty { try parse(piece) }
    }

    /// The first bytes, until they show whether the text begins with the mark of UTF-8 that some programs write.
    private var beginning: [UInt8]? = []

    private func parse(_ piece: UnsafeRawBufferPointer) throws(TrackFault) {
        hasEnded = piece.isEmpty
        var isTorn = false
        switch format {
        case .xml(let parser, _): isTorn = try parser.read(piece)
        case .geojson(let reader): isTorn = try reader.read(piece)
        case .csv(let reader): isTorn = reader.read(piece)
        case .igc(let reader): reader.read(piece)
        }
        if piece.isEmpty || isTorn {
            hasEnded = true
            try collector.finish(isTorn: isTorn)
            sorter.finish()
            if isTorn { sorter.process(.message("the track is not complete: the file ends before the end of it")) }
        }
    }

    /// Whether elements of the pieces that were read are still to be emitted by `resume()`.
    package var hasMore: Bool { if case .geojson(let reader) = format { reader.hasMore } else { false } }

    /// Emits some more elements of the pieces that were read.
    package func resume() throws(TrackFault) {
        guard case .geojson(let reader) = format else { return }
        try emitting { () throws(TrackFault) in try reader.resume() }
    }
}

/// The receiver of the first element of a document, which tells its format.
private final class Root: XMLReceiver {
    private let collector: PointCollector
    private var reader: (any XMLReceiver)?
    weak var parser: XMLParser?
    private var own: TrackFault?

    init(_ collector: PointCollector) { self.collector = collector }

    var fault: TrackFault? { own ?? reader?.fault }

    var wantsText: Bool { reader?.wantsText ?? false }

    func start(_ name: XMLName, _ attributes: XMLAttributes) {
        if let reader { return reader.start(name, attributes) }
        let line = { [weak parser] in parser?.line ?? 0 }
        if name == "gpx" {
            reader = GPXReader(collector, line: line)
        } else if name == "kml" || name == "Document" || name == "Folder" || name == "Placemark" {
            reader = KMLReader(collector, line: line)
        } else if name == "TrainingCenterDatabase" {
            reader = TCXReader(collector, line: line)
        } else {
            own = .malformed(
                line: 0, cause: "it is XML, but neither GPX, KML nor TCX: its first element is \(name.text)")
        }
        reader?.start(name, attributes)
    }

    func end(_ name: XMLName) { reader?.end(name) }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) { reader?.text(bytes) }
}
