/// The columns of a CSV file, in their order.
package struct CSVColumns: Hashable, Sendable {
    package let names: [String]
    /// The index of each column's field; the segment's is the one after the last field.
    let fields: [Int]

    package static let known = PointFieldNames.all + [segmentName]

    /// The default columns.
    ///
    /// GPSBabel's format unicsv recognizes a column by the beginning of its name, so these columns do not include `late`,
    /// which it takes for a latitude, nor `altMSL` and `altHAE`, which would both replace `alt`.
    package static let standard = CSVColumns(known: [
        "time", "lat", "lon", "alt", "speed", "course", "eph", "epv", "mode", "used", "seen", "device", "segment",
        "quality", "climb", "geoidSep", "hdop", "vdop", "pdop", "received",
    ])

    /// The default columns of positions that are compared with a reference point.
    package static let withErrors = CSVColumns(
        known: standard.names + ["error", "errorEast", "errorNorth", "errorUp"])

    /// The default columns of positions at given times.
    package static let withInterpolation = CSVColumns(known: standard.names + ["interpolated"])

    /// All columns: the standard ones, then the others.
    package static let all = CSVColumns(known: standard.names + known.filter { !standard.names.contains($0) })

    /// Creates columns from names, or returns `nil` if the list is empty or a name is unknown or repeated.
    package init?(_ names: [String]) {
        guard !names.isEmpty, Set(names).count == names.count, names.allSatisfy(Self.known.contains) else { return nil }
        self.init(known: names)
    }

    /// Reads the columns from a file's header line, or returns `nil` if a column is unknown.
    init?(header: some Sequence<UInt8>) {
        self.init(String(decoding: Array(header), as: UTF8.self).split(separator: ",").map(String.init))
    }

    private init(known names: [String]) {
        self.names = names
        fields = names.compactMap { Self.known.firstIndex(of: $0) }
    }

    private static let segmentName = "segment"

    var segmentPlace: Int? { names.firstIndex(of: Self.segmentName) }
}
