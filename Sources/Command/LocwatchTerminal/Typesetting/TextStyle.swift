/// The style of text for people.
package struct TextStyle: Hashable, Sendable {
    package var degrees = DegreeStyle.decimal
    package var units = Units.metric
    package var precision = Precision.decimals(7)
    package var usesColor = false
    package var glyphs = Glyphs.utf8
    /// The greatest width of lines, which a terminal has.
    package var columns = TextStyle.usualColumns

    package init(
        degrees: DegreeStyle = .decimal, units: Units = .metric, precision: Precision = .decimals(7),
        usesColor: Bool = false, glyphs: Glyphs = .utf8, columns: Int = TextStyle.usualColumns
    ) {
        self.degrees = degrees
        self.units = units
        self.precision = precision
        self.usesColor = usesColor
        self.glyphs = glyphs
        self.columns = columns
    }

    /// The width of lines that are neither shortened nor wrapped; half of the greatest number, so that sums stay in range.
    package static let unlimitedColumns = Int.max / 2

    /// The width of pages and pictures without a terminal.
    package static let usualColumns = 80
}

/// The notation of latitudes and longitudes.
package enum DegreeStyle: String, CaseIterable, Hashable, Sendable {
    /// 45.0736120
    case decimal = "d"
    /// 45°04.41672'N
    case minutes = "dm"
    /// 45°04'25.003"N
    case seconds = "dms"
}

/// The units in text and templates.
package enum Units: String, CaseIterable, Hashable, Sendable {
    case metric, imperial, nautical
}

/// The precision of printed coordinates.
package enum Precision: Hashable, Sendable {
    /// A fixed number of decimals of a degree.
    case decimals(Int)
    /// The shortest text that parses to the same number.
    case full
}

/// The choice of coloured output.
package enum ColorChoice: String, CaseIterable, Hashable, Sendable {
    case auto, always, never
}
