import LocwatchArguments
import LocwatchTerminal

extension ValueSyntax {
    /// Returns the syntax of one of several words, which can be cut to a unique prefix.
    ///
    /// It is beside its callers, so that it is specialized: otherwise the program starts with a third more instructions.
    static func word(_ words: KeyValuePairs<String, Value>) -> ValueSyntax {
        let known = words.map(\.key)
        let values = words.map(\.value)
        return ValueSyntax(known.joined(separator: "|"), completion: .words(known)) { text throws(UsageError) in
            let lowered = text.lowercased()
            let matches = known.indices.filter { known[$0] == lowered }
            let prefixed = matches.isEmpty ? known.indices.filter { known[$0].hasPrefix(lowered) } : matches
            if !text.isEmpty, prefixed.count == 1, let index = prefixed.first { return values[index] }
            throw UsageError(allowed: EnglishList.or(known), suggestion: Spelling.nearest(to: text, among: known))
        }
    }
}

/// The units that an option chooses; those that it does not name stay as they are.
struct ChosenUnits: Sendable {
    fileprivate(set) var lengths: Units?
    fileprivate(set) var angles: DegreeStyle?
}

extension ValueSyntax where Value == ChosenUnits {
    /// The syntax of words separated by commas, as in `nautical,dm`.
    static let units = ValueSyntax("UNITS", completion: word.completion) { text throws(UsageError) in
        var units = ChosenUnits()
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let chosen = try word.read(String(part))
            let isSecond = chosen.lengths != nil && units.lengths != nil || chosen.angles != nil && units.angles != nil
            if isSecond { throw UsageError(allowed: "one unit of lengths and one form of angles, as in nautical,dm") }
            units = ChosenUnits(lengths: chosen.lengths ?? units.lengths, angles: chosen.angles ?? units.angles)
        }
        return units
    }

    private static let word = ValueSyntax.word([
        "metric": ChosenUnits(lengths: .metric), "imperial": ChosenUnits(lengths: .imperial),
        "nautical": ChosenUnits(lengths: .nautical), "d": ChosenUnits(angles: .decimal),
        "dm": ChosenUnits(angles: .minutes), "dms": ChosenUnits(angles: .seconds),
    ])
}
