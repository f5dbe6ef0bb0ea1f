/// The style of text for people.
struct TextStyle: Hashable, Sendable {
    var degrees = DegreeStyle.decimal
    var units = Units.metric
    var precision = Precision.decimals(7)
    var usesColor = false
    var glyphs = Glyphs.utf8
    /// The maximum width of lines.
    var columns = TextStyle.usualColumns

    /// The width that is assumed without a terminal.
    static let usualColumns = 80
}

/// The notation of latitudes and longitudes.
enum DegreeStyle: String, CaseIterable, Hashable, Sendable {
    /// 45.0736120
    case decimal = "d"
    /// 45°04.41672'N
    case minutes = "dm"
    /// 45°04'25.003"N
    case seconds = "dms"
}

/// The units in text and templates.
enum Units: String, CaseIterable, Hashable, Sendable {
    case metric, imperial, nautical
}

/// The precision of printed coordinates.
enum Precision: Hashable, Sendable {
    /// A fixed number of decimals of a degree.
    case decimals(Int)
    /// The shortest text that parses to the same number.
    case full
}

/// The choice of coloured output.
enum ColorChoice: String, CaseIterable, Hashable, Sendable {
    case auto, always, never
}
