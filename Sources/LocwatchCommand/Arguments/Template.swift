import LocationTracks

/// A user-defined format of positions: text with `%{name}` for each field.
struct Template: Hashable, Sendable {
    enum Piece: Hashable, Sendable {
        case text(String)
        /// A field of the position, by its index, with the requested number of decimals, if any.
        case field(Int, decimals: Int? = nil)
        case extra(Extra)
    }

    /// The names that exist only in templates.
    enum Extra: String, CaseIterable, Hashable, Sendable {
        case clock, compass, date, fences, fix, geo, maidenhead, mgrs, n, osm, units, utm
        case speedUnits

        var meaning: String {
            switch self {
            case .clock: "the local time of day of the position"
            case .compass: "the course as a compass point, as in SE"
            case .date: "the local date of the position"
            case .fences: "the names of the fences that the position is in, separated by commas"
            case .fix: "2D or 3D"
            case .geo: "a geo: URI with the accuracy, for map programs"
            case .maidenhead: "the Maidenhead locator, as in JN35ub"
            case .mgrs: "the MGRS grid reference, as in 32TLQ9613191974"
            case .n: "the number of positions printed, including this one"
            case .osm: "a link to the position on the map of openstreetmap.org"
            case .units: "the unit of lengths: m or ft"
            case .speedUnits: "the unit of speeds: m/s, mph or kn"
            case .utm: "the UTM zone, easting and northing, as in 32T 396131 4991975"
            }
        }
    }

    let pieces: [Piece]

    /// All names, in alphabetical order.
    static let names = (PointFieldNames.all + Extra.allCases.map(\.rawValue))
        .sorted { $0.lowercased() < $1.lowercased() }

    /// The maximum number of decimals.
    private static let mostDecimals = 12

    static func read(_ text: String) -> Result<Template, ValueError> {
        var pieces: [Piece] = []
        var literal = ""
        var rest = text[...]
        func wrong(_ what: String) -> Result<Template, ValueError> { .failure(ValueError(allowed: what)) }
        while let character = rest.popFirst() {
            switch character {
            case "\\":
                switch rest.popFirst() {
                case "t": literal.append("\t")
                case "n": literal.append("\n")
                case "\\": literal.append("\\")
                default: return wrong("\\t for a tab, \\n for a new line, or \\\\ for a backslash")
                }
            case "%":
                switch rest.popFirst() {
                case "%": literal.append("%")
                case "{":
                    guard let end = rest.firstIndex(of: "}") else { return wrong("a } after every %{") }
                    if !literal.isEmpty { pieces.append(.text(literal)) }
                    literal = ""
                    switch piece(rest[..<end]) {
                    case .success(let piece): pieces.append(piece)
                    case .failure(let error): return .failure(error)
                    }
                    rest = rest[rest.index(after: end)...]
                default: return wrong("%% for a percent sign, or %{NAME}, as in '%{lat} %{lon}'")
                }
            default: literal.append(character)
            }
        }
        if !literal.isEmpty { pieces.append(.text(literal)) }
        return .success(Template(pieces: pieces))
    }

    /// Parses the text between the braces: a name, optionally followed by a colon and the decimals.
    private static func piece(_ text: Substring) -> Result<Piece, ValueError> {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        let field = PointFieldNames.all.firstIndex(of: name)
        let extra = Extra(rawValue: name)
        guard field != nil || extra != nil else {
            return .failure(
                ValueError(
                    allowed: "a known name instead of %{\(name.printable)}: \(names.joined(separator: " "))",
                    suggestion: Spelling.nearest(to: name, among: names).map { "%{\($0)}" }))
        }
        guard parts.count == 2 else {
            return .success(field.map { .field($0) } ?? extra.map(Piece.extra) ?? .text(""))
        }
        guard let field, PointFieldNames.numbers.contains(field) else {
            return .failure(ValueError(allowed: "%{\(name)} without decimals, which it does not have"))
        }
        let digits = parts[1].dropFirst()
        guard parts[1].first == ".", !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let decimals = Int(digits), decimals <= mostDecimals
        else {
            return .failure(
                ValueError(
                    allowed: "%{\(name):.DECIMALS} with 0 to \(mostDecimals) decimals, as in %{\(name):.1}"))
        }
        return .success(.field(field, decimals: decimals))
    }
}
