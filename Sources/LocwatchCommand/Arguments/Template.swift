import LocationTracks

/// A form for positions that the user has written: text with `%{name}` for a field and `%%` for a percent sign.
struct Template: Hashable, Sendable {
    enum Piece: Hashable, Sendable {
        case text(String)
        /// A field of the position, by its place in `PointFieldNames.all`.
        case field(Int)
        case extra(Extra)
    }

    /// Names that only templates have.
    enum Extra: String, CaseIterable, Hashable, Sendable {
        case clock, compass, date, fix, n, units
        case speedUnits

        var meaning: String {
            switch self {
            case .clock: "the local time of day of the position"
            case .compass: "the course as a point of the compass, as in SE"
            case .date: "the local date of the position"
            case .fix: "2D or 3D"
            case .n: "how many positions have been printed, this one included"
            case .units: "the unit of lengths: m or ft"
            case .speedUnits: "the unit of speeds: m/s, mph or kn"
            }
        }
    }

    let pieces: [Piece]

    /// Every name, in alphabetical order.
    static let names = (PointFieldNames.all + Extra.allCases.map(\.rawValue)).sorted {
        $0.lowercased() < $1.lowercased()
    }

    static func read(_ text: String) -> Result<Template, ValueError> {
        var pieces: [Piece] = []
        var literal = ""
        var rest = text[...]
        func wrong(_ what: String, suggestion: String? = nil) -> Result<Template, ValueError> {
            .failure(ValueError(allowed: what, suggestion: suggestion))
        }
        while let character = rest.popFirst() {
            guard character == "%" else {
                literal.append(character)
                continue
            }
            switch rest.popFirst() {
            case "%": literal.append("%")
            case "{":
                guard let end = rest.firstIndex(of: "}") else { return wrong("a } after every %{") }
                let name = String(rest[..<end])
                rest = rest[rest.index(after: end)...]
                if !literal.isEmpty { pieces.append(.text(literal)) }
                literal = ""
                if let index = PointFieldNames.all.firstIndex(of: name) {
                    pieces.append(.field(index))
                } else if let extra = Extra(rawValue: name) {
                    pieces.append(.extra(extra))
                } else {
                    return wrong(
                        "known names instead of %{\(name.printable)}: \(names.joined(separator: " "))",
                        suggestion: Spelling.nearest(to: name, among: names).map { "%{\($0)}" })
                }
            default: return wrong("%% for a percent sign, or %{NAME}, as in '%{lat} %{lon}'")
            }
        }
        if !literal.isEmpty { pieces.append(.text(literal)) }
        return .success(Template(pieces: pieces))
    }
}
