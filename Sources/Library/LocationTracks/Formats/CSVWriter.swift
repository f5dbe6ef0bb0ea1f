package import LocationCore

extension TrackFormat {
    /// CSV (RFC 4180), for tables.
    public static let csv = TrackFormat(
        name: "csv", title: "CSV", summary: "CSV (RFC 4180), for tables", receivers: .inPoints, choosesColumns: true,
        type: CSVWriter.self)
}

/// CSV (RFC 4180): a header line, then a record for each point; an unknown field is empty.
///
/// Numbers have a decimal point in any locale. Times have milliseconds in every row, because readers such as pandas expect
/// one form in a column. The segments of the track are numbered from 1.
package struct CSVWriter: TrackWriter {
    private let columns: CSVColumns
    private var fields: CSVFields
    private var segment = 1
    private var segmentHasPoints = false
    private var hasHeader = true

    /// Creates a writer.
    ///
    /// - Parameter decimals: The decimals of coordinates, or `nil` for the shortest exact text.
    package init(_ columns: CSVColumns = .standard, decimals: Int? = nil) {
        self.columns = columns
        fields = CSVFields(columns, decimals: decimals)
    }

    package init(_ options: TrackFormat.Options) {
        self.init(options.columns ?? .standard)
        hasHeader = !options.omitsHeader
    }

    /// Returns the options with the columns of the existing file, which it keeps.
    package static func options(
        _ options: TrackFormat.Options, continuing start: [UInt8], of path: String
    ) throws(TrackFileError) -> TrackFormat.Options {
        guard let own = CSVColumns(header: start.prefix { ![0x0A, 0x0D].contains($0) }) else {
            throw .foreign(path: path, cause: "it does not begin with columns that this program writes")
        }
        if let chosen = options.columns, chosen != own {
            throw .foreign(path: path, cause: "its columns are \(own.names.joined(separator: ","))")
        }
        var options = options
        options.columns = own
        return options
    }

    /// Resumes with the segment after that of the file's last record.
    package mutating func resume(after ending: ArraySlice<UInt8>) {
        guard let place = columns.segmentPlace else { return }
        let line = ending.split(separator: UInt8(ascii: "\n")).last ?? []
        let fields = CSVReader.Record(line.filter { $0 != UInt8(ascii: "\r") }, separator: UInt8(ascii: ",")).fields
        if place < fields.count, let last = DigitNumber.read(fields[place]) { segment = last + 1 }
    }

    package func beginFile(into out: inout TextBuffer) {
        guard hasHeader else { return }
        out.put(columns.names.joined(separator: ","))
        out.put("\r\n")
    }

    package mutating func gap(_ gap: TrackGap, into out: inout TextBuffer) {
        if segmentHasPoints || gap == .continued { segment += 1 }
        segmentHasPoints = false
    }

    package mutating func append(_ point: TrackPoint, into out: inout TextBuffer) {
        segmentHasPoints = true
        fields.append(point, segment: segment, into: &out)
        out.put("\r\n")
    }

    /// Appends the record of a time without a position, in which every other field is empty.
    package func appendMissing(at time: Timestamp?, into out: inout TextBuffer) {
        for (place, name) in columns.names.enumerated() {
            if place > 0 { out.put(UInt8(ascii: ",")) }
            if name == "time", let time { out.put(rfc3339: time) }
        }
        out.put("\r\n")
    }
}

/// The fields of one record: each chosen field is written when it is visited, and all are then put in column order.
private struct CSVFields: LocationFieldVisitor {
    private let columns: [Int]
    private let decimals: Int?
    private var isChosen: [Bool]
    private var places: [Range<Int>]
    private var text = TextBuffer()
    private var index = 0
    /// The chosen numbers of the table of a location, and the index of each.
    private let numbers: UInt64
    private let indices: [Int]

    init(_ columns: CSVColumns, decimals: Int?) {
        self.columns = columns.fields
        self.decimals = decimals
        isChosen = Array(repeating: false, count: CSVColumns.known.count)
        for field in columns.fields { isChosen[field] = true }
        places = Array(repeating: 0..<0, count: CSVColumns.known.count)
        indices = Location.Field.allCases.map { CSVColumns.known.firstIndex(of: $0.row.name.description) ?? 0 }
        numbers = Location.Field.allCases.filter { [isChosen, indices] in isChosen[indices[$0.place]] }.bits
    }

    mutating func append(_ point: TrackPoint, segment: Int, into out: inout TextBuffer) {
        text.removeAll()
        index = 0
        point.visitAll(&self)
        count("segment", segment)
        out.put(columns, emptying: &places, of: text, separator: UInt8(ascii: ","))
    }

    var wantsAbsent: Bool { false }

    mutating func skip(_ count: Int) { index += count }

    mutating func time(_ name: StaticString, _ value: Timestamp?) {
        write(value) { $0.put(rfc3339: $1) }
    }

    mutating func coordinate(_ name: StaticString, _ value: Double, _ axis: CoordinateAxis) {
        let decimals = decimals
        write(value) { text, value in
            if let decimals {
                text.put(fixed: value, decimals: decimals)
            } else {
                text.put(shortest: value)
            }
        }
    }

    mutating func number(_ name: StaticString, _ value: Double?, _ quantity: Quantity) {
        write(value) { $0.put(shortest: $1) }
    }

    // A visit to each number of the table took 110 instructions, and few are chosen.
    mutating func numbers(_ fields: UInt64, known: UInt64, _ values: Span<Double>) {
        var rest = fields & known & numbers
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            let start = text.count
            text.put(shortest: values[place])
            places[indices[place]] = start..<text.count
            rest &= rest &- 1
        }
        index += (fields & Location.Field.all).nonzeroBitCount
    }

    mutating func count(_ name: StaticString, _ value: Int?) {
        write(value) { $0.put($1) }
    }

    mutating func word(_ name: StaticString, _ value: String?) {
        write(value) { $0.put(csv: $1) }
    }

    mutating func mark(_ name: StaticString, _ value: Bool) {
        count(name, value ? 1 : nil)
    }

    @inline(__always)
    private mutating func write<Value>(_ value: Value?, _ append: (inout TextBuffer, Value) -> Void) {
        defer { index += 1 }
        guard let value, isChosen[index] else { return }
        let start = text.count
        append(&text, value)
        places[index] = start..<text.count
    }
}
