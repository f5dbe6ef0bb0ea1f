package import LocationCore

/// A reader of a track in pieces: GPX, KML, TCX, GeoJSON, CSV and IGC, of locwatch and of other programs.
///
/// The memory does not depend on the size of the file, but for what `PointSorter` holds back. While `hasMore` is true
/// after a piece, call `resume()`, so that the points of one large element come in several steps.
package final class TrackReader {
    private let collector: PointCollector
    private let sorter: PointSorter
    private let format: any TrackFormatReader
    private let name: String
    private var hasEnded = false
    /// The bytes of the mark that may still follow.
    private var mark = TrackKind.mark[...]

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - kind: The format.
    ///   - name: The name of the file, for errors.
    ///   - times: The times for points without a time.
    ///   - memory: The limit of the memory for the parser of XML, in bytes.
    ///   - emit: Called with each element as it is read.
    package init(
        _ kind: TrackKind, of name: String, times: TimelessPoints, memory: Int = 16 << 20,
        emit: @escaping (ReadElement) -> Void
    ) throws(LocationError) {
        let isInOrder = kind == .csv
        let sorter = PointSorter(isInOrder: isInOrder, emit: emit)
        collector = PointCollector(times: times, isInOrder: isInOrder) { sorter.process($0) }
        self.sorter = sorter
        self.name = name
        switch kind {
        case .xml:
            do throws(LocationError) {
                format = try XMLParser(XMLTrackReader(collector), memory: memory)
            } catch {
                throw error.ofTrack(name)
            }
        case .geojson: format = GeoJSONReader(collector)
        case .csv: format = CSVReader(collector)
        case .igc: format = IGCReader(collector)
        }
    }

    /// Reads the next bytes of the file; an empty piece ends it.
    package func read(_ piece: UnsafeRawBufferPointer) throws(LocationError) {
        guard !hasEnded else { return }
        try emitting { () throws(LocationError) in try begin(piece) }
    }

    /// Emits what is held back if reading ends with a fault, because the points before it count, and names the file.
    private func emitting(_ body: () throws(LocationError) -> Void) throws(LocationError) {
        do throws(LocationError) { try body() } catch {
            sorter.finish()
            throw error.ofTrack(name)
        }
    }

    /// Reads a piece without the mark of UTF-8, with which some programs begin a text; its bytes can come in several pieces.
    private func begin(_ piece: UnsafeRawBufferPointer) throws(LocationError) {
        var rest = piece[...]
        while let next = mark.first, rest.first == next {
            rest.removeFirst()
            mark.removeFirst()
        }
        if !rest.isEmpty { mark = [] }
        if piece.isEmpty || !rest.isEmpty { try parse(UnsafeRawBufferPointer(rebasing: rest)) }
    }

    private func parse(_ piece: UnsafeRawBufferPointer) throws(LocationError) {
        hasEnded = piece.isEmpty
        let isTorn = try format.read(piece)
        if piece.isEmpty || isTorn {
            hasEnded = true
            try collector.finish(isTorn: isTorn)
            sorter.finish()
            if isTorn { sorter.process(.message("the track is not complete: the file ends before the end of it")) }
        }
    }

    /// Whether elements of the pieces that were read are still to be emitted by `resume()`.
    package var hasMore: Bool { format.hasMore }

    /// Emits some more elements of the pieces that were read.
    package func resume() throws(LocationError) { try emitting(format.resume) }
}

/// A reader of one format, which passes the points to a collector.
protocol TrackFormatReader {
    /// Reads the next bytes; an empty piece ends the file.
    ///
    /// - Returns: Whether the file is torn: it ends within a point or a value.
    func read(_ piece: UnsafeRawBufferPointer) throws(LocationError) -> Bool
    /// Whether `resume()` must be called before the next `read(_:)`.
    var hasMore: Bool { get }
    /// Emits more points of the pieces that were read.
    func resume() throws(LocationError)
}

extension TrackFormatReader {
    var hasMore: Bool { false }

    func resume() throws(LocationError) {}
}
