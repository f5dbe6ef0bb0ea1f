import LocwatchArguments
import LocwatchTerminal

extension ValueSyntax {
    /// Returns the syntax of one of several words, which can be cut to a unique prefix.
    ///
    /// It is beside its callers, so that it is specialized: otherwise the program starts with a third more instructions.
    static func word(_ words: KeyValuePairs<String, Value>) -> ValueSyntax {
        let known = words.map(\.key)
        let values = words.map(\.value)
        return ValueSyntax(known.joined(separator: "|"), completion: .words(known)) { text in
            let lowered = text.lowercased()
            let matches = known.indices.filter { known[$0] == lowered }
            let prefixed = matches.isEmpty ? known.indices.filter { known[$0].hasPrefix(lowered) } : matches
            if !text.isEmpty, prefixed.count == 1, let index = prefixed.first { return .success(values[index]) }
            return .failure(
                UsageError(
                    allowed: EnglishList.or(known), suggestion: Spelling.nearest(to: text, among: known)))
        }
    }
}

/// The units that an option chooses; those that it does not name stay as they are.
struct ChosenUnits: Sendable {
    private(set) var lengths: Units?
    private(set) var angles: DegreeStyle?

    fileprivate enum Word: Sendable {
        case lengths(Units)
        case angles(DegreeStyle)
    }

    fileprivate mutating func choose(_ word: Word) {
        switch word {
        case .lengths(let units): lengths = units
        case .angles(let style): angles = style
        }
    }
}

extension ValueSyntax where Value == ChosenUnits {
    /// The syntax of words separated by commas, as in `nautical,dm`.
    static let units = ValueSyntax("UNITS", completion: word.completion) { text in
        var units = ChosenUnits()
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            switch word.read(String(part)) {
            case .success(let word): units.choose(word)
            case .failure(let error): return .failure(error)
            }
        }
        return .success(units)
    }

    private static let word = ValueSyntax<ChosenUnits.Word>.word([
        "metric": .lengths(.metric), "imperial": .lengths(.imperial), "nautical": .lengths(.nautical),
        "d": .angles(.decimal), "dm": .angles(.minutes), "dms": .angles(.seconds),
    ])
}
