/// The numbers of decimals in a sentence, which are fewer where the sentence would be too long.
struct NMEADecimals: Hashable, Sendable {
    var minutes = 6
    var altitude = 3
    var separation = 3
    var speed = 3
    var course = 2
    var error = 2
    var dilution = 2

    /// The decimals from the most to the fewest.
    ///
    /// The least ones are those of ordinary receivers: centimetres on the ground, decimetres in height.
    static let levels = [
        NMEADecimals(),
        NMEADecimals(separation: 1, speed: 2),
        NMEADecimals(altitude: 2, separation: 1, speed: 2, course: 1),
        NMEADecimals(minutes: 5, altitude: 2, separation: 1, speed: 2, course: 1, error: 1),
        NMEADecimals(minutes: 5, altitude: 1, separation: 1, speed: 1, course: 1, error: 0),
        // A GGA sentence with the age of its corrections and their station.
        NMEADecimals(minutes: 5, altitude: 1, separation: 1, speed: 1, course: 1, error: 0, dilution: 1),
    ]
}

extension NMEASentence {
    /// The maximum number of bytes of a sentence, its line end included.
    static let lengthLimit = 82

    /// Returns the sentence made of `content`, after as many `removals` of decimals and values as make it short enough.
    static func fitting<Content>(
        _ content: Content, without removals: [(inout Content) -> Void] = [],
        _ make: (Content, NMEADecimals) -> NMEASentence
    ) -> NMEASentence {
        var decimals = NMEADecimals()
        var sentence = make(content, decimals)
        for level in NMEADecimals.levels.dropFirst() where sentence.bytes.count > lengthLimit {
            decimals = level
            sentence = make(content, decimals)
        }
        var content = content
        for remove in removals where sentence.bytes.count > lengthLimit {
            remove(&content)
            sentence = make(content, decimals)
        }
        return sentence
    }
}
