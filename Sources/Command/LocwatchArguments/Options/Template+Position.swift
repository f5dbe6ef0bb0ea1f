package import LocationCore
import LocationTracks
import LocwatchTerminal

/// The templates of positions, whose values are the fields of a position and then the extra ones.
extension Template {
    /// The names that exist only in templates.
    package enum Extra: String, CaseIterable, Hashable, Sendable {
        case age, clock, compass, date, fences, fix, geo, mgrs, n, osm, units, utm
        case speedUnits

        package var meaning: String {
            switch self {
            case .age: "the age of the position in seconds when it arrived"
            case .clock: "the local time of day of the position"
            case .compass: "the course as a compass point, as in SE"
            case .date: "the local date of the position"
            case .fences: "the names of the fences that the position is in, separated by commas"
            case .fix: "2D or 3D"
            case .geo: "a geo: URI with the accuracy, for map programs"
            case .mgrs: "the MGRS grid reference, as in 32TLQ9613191974"
            case .n: "the number of positions printed, including this one"
            case .osm: "a link to the position on the map of openstreetmap.org"
            case .units: "the unit of lengths: m or ft"
            case .speedUnits: "the unit of speeds: m/s, mph or kn"
            case .utm: "the UTM zone, easting and northing, as in 32T 396131 4991975"
            }
        }

        /// Creates the extra value with an index among all values; `nil` for a field of a position.
        package init?(value index: Int) {
            guard index >= PointFieldNames.all.count else { return nil }
            self = Self.allCases[index - PointFieldNames.all.count]
        }
    }

    /// The codes of places, with their meanings.
    package static let placeCodes = PlaceCode.allCases.map { code in
        let meaning =
            switch code {
            case .geohash: "the geohash, as in u0j2qv2sz; %{geohash:5} has 5 of its 1 to 12 characters"
            case .maidenhead: "the Maidenhead locator, as in JN35ub; %{maidenhead:8} has 8 of 4, 6, 8 or 10 characters"
            case .pluscode: "the plus code, as in 8FQ93MFJ+C5; %{pluscode:11} has 11 of its 2 to 15 digits"
            }
        return (term: code.rawValue, meaning: meaning)
    }

    package static let fenceFigures = FenceFigure.allCases.map { figure in
        (
            term: "fence.NAME.\(figure.rawValue)",
            meaning: "the \(figure.rawValue) of the centre of the fence NAME from the position"
        )
    }

    /// The names of the fences whose values the template has.
    package var fences: [String] { pieces.compactMap { if case .fence(let name, _, _) = $0 { name } else { nil } } }

    /// Returns whether the template has the value of a field of a position.
    package func shows(_ field: String) -> Bool {
        let place = PointFieldNames.all.firstIndex(of: field)
        return pieces.contains { if case .value(let index, _) = $0 { index == place } else { false } }
    }

    static let names: TemplateNames = {
        let names = PointFieldNames.all + Extra.allCases.map(\.rawValue)
        let age = names.firstIndex(of: Extra.age.rawValue).map { Set([$0]) } ?? []
        return TemplateNames(names, numbers: PointFieldNames.numbers.union(age), takesPlaces: true)
    }()

    /// Returns the first name of a value that follows a percent sign without its braces, in a text without any value; elsewhere it is
    /// taken for a part of an address.
    package static func nameWithoutBraces(in text: String) -> String? {
        guard !text.containsBytes(of: "%{") else { return nil }
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "%" else { continue }
            if rest.first == "%" {
                rest.removeFirst()
                continue
            }
            let word = String(String.UnicodeScalarView(rest.prefix { $0.properties.isAlphabetic || $0 == "." }))
            if names.sorted.contains(word) { return word }
        }
        return nil
    }

    /// Parses a template, or throws the reason why it is invalid.
    package static func read(_ text: String) throws(UsageError) -> Template {
        do throws(InvalidValue) { return try Template(text, names) } catch {
            guard let name = error.unknownName else { throw UsageError(value: error.description) }
            let suggestion = Spelling.nearest(to: name, among: names.sorted)
            throw UsageError(
                value: "\(error), as 'locwatch help template' lists them", suggestion: suggestion.map { "%{\($0)}" })
        }
    }
}
