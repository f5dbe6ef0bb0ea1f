import LocationCore
import LocwatchSupport

/// A reader of the positions that locwatch writes as CSV, and of other tables with columns of the same names.
///
/// The header names the columns, of which a latitude and a longitude are needed; the others are those of `CSVColumns`, or
/// have the names that other programs give them. The fields are separated by commas, semicolons or tabs.
final class CSVReader: TrackFormatReader {
    private let collector: PointCollector
    private var lines = TextLines()
    /// The first line and the values that it names.
    private var header: [[UInt8]] = []
    private var columns: [PointValue?] = []
    private var separator = UInt8(ascii: ",")
    /// The place of the date, if it has a column of its own.
    private var date: Int?
    private var segments = PerDevice<Int>()
    /// The receiver and the segment of the last row with a segment.
    private var lastRow: (device: String?, segment: Int)?
    private var isFirst = true
    /// The number of fields of the shortest line so far.
    private var fewest = Int.max
    /// The lines of a record that is not complete, because a field within quotation marks has line breaks.
    private var begun: [Line] = []

    private typealias Line = (bytes: [UInt8], number: Int)
    /// The length in bytes from which on a record with line breaks is one line with a stray quotation mark.
    private static let recordLimit = 4096

    /// The number of receivers of which the last segment is known.
    private static let receiverLimit = 1_000

    init(_ collector: PointCollector) { self.collector = collector }

    /// Returns whether the first line of a text names the columns of positions.
    static func recognizes(_ beginning: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard let end = beginning.firstIndex(of: UInt8(ascii: "\n")) else { return false }
        let header = Array(beginning[..<end])
        let names = names(in: Record(header, separator: separator(of: header)).fields)
        return names.contains("lat") && names.contains("lon")
    }

    private static func separator(of header: [UInt8]) -> UInt8 {
        [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")].first { header.contains($0) } ?? UInt8(ascii: ",")
    }

    private static func names(in header: [[UInt8]]) -> [String] {
        header.map { field in
            let name = text(field)
            return otherNames[name.lowercased()] ?? name
        }
    }

    /// Returns a field without the spaces around it.
    private static func text(_ field: [UInt8]) -> String {
        field.withUnsafeBufferPointer { String(decoding: TrackNumber.trimmed($0), as: UTF8.self) }
    }

    /// Returns a text without the apostrophe that keeps a spreadsheet from evaluating it.
    private static func unmarked(_ text: String) -> String {
        text.hasPrefix("'") && TextBuffer.isFormula(text.dropFirst()) ? String(text.dropFirst()) : text
    }

    /// The names of other programs and of `CSVColumns`, in lower case, as those of `PointValue`.
    private static let otherNames = [
        "lat": "lat", "latitude": "lat", "lon": "lon", "lng": "lon", "long": "lon", "longitude": "lon",
        "time": "time", "timestamp": "time", "datetime": "time", "date time": "time", "utc": "time",
        "date": "date", "alt": "altMSL", "altitude": "altMSL", "elevation": "altMSL", "ele": "altMSL",
        "speed": "speed", "course": "course", "heading": "heading", "bearing": "course", "used": "uSat",
        "seen": "nSat",
    ]

    /// A record as its fields, without quotation marks.
    struct Record {
        var fields: [[UInt8]] = [[]]
        /// Whether the last field lacks the mark at its end.
        var isOpen = false
        /// Whether other text than a separator follows a mark at the end of a field.
        var hasStrayMark = false

        init(_ bytes: [UInt8], separator: UInt8) {
            var wasMark = false
            for byte in bytes {
                // A mark within quotation marks is written twice, and one within other text is a part of it.
                if byte == UInt8(ascii: "\""), isOpen || wasMark || fields[fields.count - 1].isEmpty {
                    if !isOpen, wasMark { fields[fields.count - 1].append(byte) }
                    isOpen.toggle()
                    wasMark = true
                    continue
                }
                if byte == separator, !isOpen {
                    fields.append([])
                } else {
                    if wasMark, !isOpen { hasStrayMark = true }
                    fields[fields.count - 1].append(byte)
                }
                wasMark = false
            }
        }
    }

    private func record(_ bytes: [UInt8]) -> Record { Record(bytes, separator: separator) }

    /// Reads the next bytes; a line that is torn is not read.
    func read(_ piece: UnsafeRawBufferPointer) -> Bool {
        var isTorn = false
        lines.read(piece) { line, number, isCut in
            guard let line else { return collector.skip("line \(number): it is too long") }
            // Lines without text can precede the header.
            if columns.isEmpty, line.allSatisfy(TrackNumber.isSpace) { return }
            // Only the last line can have no end.
            isTorn = add((line, number), isLast: piece.isEmpty, isCut: isCut)
        }
        while piece.isEmpty, !begun.isEmpty { readSingly() }
        return isTorn
    }

    /// Reads the next line, which can continue a record; returns whether it is torn.
    private func add(_ line: Line, isLast: Bool, isCut: Bool) -> Bool {
        if columns.isEmpty { separator = Self.separator(of: line.bytes) }
        let bytes = begun.flatMap { $0.bytes + [UInt8(ascii: "\n")] } + line.bytes
        let record = record(bytes)
        guard let first = begun.first else {
            guard record.isOpen, !isLast else { return read(record, line.number, isLast: isLast, isCut: isCut) }
            begun = [line]
            return false
        }
        begun.append(line)
        // Otherwise the mark is a part of its field.
        let isOneRecord =
            record.isOpen
            ? !isLast && bytes.count <= Self.recordLimit
            : !record.hasStrayMark && (columns.isEmpty || record.fields.count == columns.count)
        guard isOneRecord, !(isRow(first) && isRow(line)) else { return readSingly(isLast: isLast, isCut: isCut) }
        if record.isOpen { return false }
        begun = []
        return read(record, first.number, isLast: isLast, isCut: isCut)
    }

    /// Returns whether a line has all columns and a position.
    private func isRow(_ line: Line) -> Bool {
        let fields = record(line.bytes).fields
        guard fields.count == columns.count else { return false }
        return zip(columns, fields).count { ($0 == .latitude || $0 == .longitude) && number($1) != nil } >= 2
    }

    /// Reads the first of the lines that wait as a record of its own, and then the others; returns whether the last one is torn.
    @discardableResult private func readSingly(isLast: Bool = false, isCut: Bool = false) -> Bool {
        let lines = begun
        begun = []
        var isTorn = false
        for (place, line) in lines.enumerated() {
            let isLast = isLast && place == lines.count - 1
            isTorn =
                place == 0
                ? read(record(line.bytes), line.number, isLast: isLast, isCut: isCut)
                : add(line, isLast: isLast, isCut: isCut)
        }
        return isTorn
    }

    /// Reads a record or the header; returns whether it is torn.
    private func read(_ record: Record, _ number: Int, isLast: Bool, isCut: Bool) -> Bool {
        let fields = record.fields
        defer { fewest = min(fewest, fields.count) }
        if columns.isEmpty {
            let names = Self.names(in: fields)
            (header, columns, date) = (fields, names.map(PointValue.init), names.firstIndex(of: "date"))
            // Beside a course, a heading is one; the rows of locwatch can have no course.
            if names.contains("course") || names.contains("mode") {
                columns = columns.map { $0 == .direction ? .heading : $0 }
            }
            return false
        }
        // The header is repeated between logs that were put together.
        if fields == [[]] || fields == header { return false }
        // The last line is whole if the others end without a return, as those of some editors, and all of its fields are
        // there.
        if isLast, isCut || fields.count < fewest { return true }
        readPoint(fields, number)
        return false
    }

    private func readPoint(_ fields: [[UInt8]], _ number: Int) {
        var draft = PointDraft()
        for (value, field) in zip(columns, fields) where !field.isEmpty {
            switch value {
            case nil: break
            case .time?: draft.facts.timestamp = time(field, fields)
            case .device?: draft.facts.device = Self.unmarked(Self.text(field))
            case .quality?: draft.facts.quality = FixQuality(code: Self.text(field)) ?? .ordinary
            case let value?: if let number = self.number(field) { draft.set(value, to: number) }
            }
        }
        guard let point = draft.finished else {
            return collector.skip("line \(number): its latitude and longitude are not numbers in range")
        }
        let startsSegment = startsSegment(draft.segment, of: draft.facts.device) || isFirst
        collector.add(point, .track, startsSegment: startsSegment)
        isFirst = false
    }

    /// Returns the number in a field, which can have a decimal comma if commas do not separate the fields.
    private func number(_ field: [UInt8]) -> Double? {
        var field = field
        if separator != UInt8(ascii: ","), let comma = field.firstIndex(of: UInt8(ascii: ",")) {
            field[comma] = UInt8(ascii: ".")
        }
        return field.withUnsafeBufferPointer { TrackNumber.read($0) }
    }

    /// Returns whether a row begins another segment, and remembers its own.
    ///
    /// A track that goes from one receiver to another has one count of segments, which only increases. Receivers side by side have
    /// counts of their own.
    private func startsSegment(_ segment: Int?, of device: String?) -> Bool {
        guard let segment else { return false }
        if segments.count >= Self.receiverLimit, segments.index(of: device) == nil { segments = PerDevice() }
        let place = segments.place(of: device, default: segment)
        defer {
            segments[place: place] = segment
            lastRow = (device, segment)
        }
        let isOther = segments[place: place] != segment
        guard let lastRow, lastRow.device != device else { return isOther }
        if segment <= lastRow.segment { collector.isSideBySide = true }
        return isOther || !collector.isSideBySide
    }

    /// Returns the time of a field, which may be a number of seconds since 1970 or lack the date.
    private func time(_ field: [UInt8], _ fields: [[UInt8]]) -> Timestamp? {
        var text = field
        if let date, date < fields.count { text = Array("\(Self.text(fields[date])) \(Self.text(field))".utf8) }
        return text.withUnsafeBufferPointer { text in
            TrackTime.read(text) ?? TrackNumber.read(text).flatMap { TrackTime.read($0) }
        }
    }
}
