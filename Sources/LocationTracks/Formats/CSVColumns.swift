/// The columns of a CSV file, in their order.
public struct CSVColumns: Hashable, Sendable {
    /// The names of the columns.
    public let names: [String]
    /// The number of each column's field; the segment's is the one after the last field.
    let fields: [Int]

    /// Every name that a column can have.
    public static let known = PointFieldNames.all + [segmentName]

    /// The columns of a file if no others are chosen.
    ///
    /// GPSBabel's format unicsv recognizes a column by the beginning of its name, so these columns do not include `late`,
    /// which it takes for a latitude, nor `altMSL` and `altHAE`, which would both replace `alt`.
    public static let standard = CSVColumns(known: [
        "time", "lat", "lon", "alt", "speed", "course", "eph", "epv", "mode", "used", "seen", "device", "segment",
        "quality", "climb", "geoidSep", "hdop", "vdop", "pdop", "received", "revision",
    ])

    /// All columns: the standard ones, then the others.
    public static let all = CSVColumns(known: standard.names + known.filter { !standard.names.contains($0) })

    /// Creates columns from names, or returns `nil` if one is unknown or repeated, or if there is none.
    public init?(_ names: [String]) {
        guard !names.isEmpty, Set(names).count == names.count, names.allSatisfy(Self.known.contains) else { return nil }
        self.init(known: names)
    }

    /// Reads the columns from a file's header line, or returns `nil` if they are not columns of this program.
    init?(header: some Sequence<UInt8>) {
        self.init(String(decoding: Array(header), as: UTF8.self).split(separator: ",").map(String.init))
    }

    private init(known names: [String]) {
        self.names = names
        fields = names.compactMap { Self.known.firstIndex(of: $0) }
    }

    private static let segmentName = "segment"

    /// The place of the segment's number, if it is a column.
    var segmentPlace: Int? { names.firstIndex(of: Self.segmentName) }
}
