import LocationCore
import LocationPublishing
import LocationGPSD
import LocationTracks
import LocwatchTerminal

/// The options of a simulated receiver, as in `sim:walk?lat=48.2&lon=16.37`.
struct SimulationOptions: Hashable, Sendable {
    var latitude: Double?
    var longitude: Double?
    /// The speed in metres per second.
    var speed: Double?
    /// The standard deviation of the position in metres.
    var noise: Double?
    /// The number of epochs per second.
    var rate: Int?
    var loops = false
    var corrections: CorrectionsSource?
    /// The options as they were given, in the order of the table.
    private(set) var words: [String] = []

    init(_ query: SourceQuery, isTrack: Bool) throws(InvalidValue) {
        let table = SimulationOption.all.filter { isTrack ? $0.suitsTracks : $0.suitsScenarios }
        var given: [String: String] = [:]
        for item in query.items {
            guard let option = table.first(where: { $0.name == item.name }) else {
                throw .unknownOption(String(item.name), of: query.subject, known: table.map(\.name))
            }
            guard option.set(&self, item.value) else {
                let found = item.value.map { "invalid value \"\($0.printable)\" for \(option.name): expected" }
                throw InvalidValue("\(found ?? "\(option.name) needs a value:") \(option.allowed)")
            }
            given[option.name] = String(item.text)
        }
        guard (latitude == nil) == (longitude == nil) else {
            throw InvalidValue("lat and lon belong together, as in lat=48.2&lon=16.37")
        }
        words = table.compactMap { given[$0.name] }
    }

    /// The options as the text after a question mark, or no text.
    var text: String { words.isEmpty ? "" : "?" + words.joined(separator: "&") }
}

extension InvalidValue {
    fileprivate static func unknownOption(_ name: String, of subject: String, known: [String]) -> InvalidValue {
        let meant = Spelling.nearest(to: name, among: known).map { " (did you mean \($0)?)" } ?? ""
        return InvalidValue(
            "unknown option \"\(name.printable)\"\(meant); the options of sim:\(subject.printable) are \(EnglishList.and(known))"
        )
    }
}

package struct SimulationOption: Sendable {
    let name: String
    /// The placeholder of the value, or `nil` for an option without one.
    let placeholder: String?
    let meaning: String
    let allowed: String
    let suitsScenarios: Bool
    let suitsTracks: Bool
    /// Sets the value; returns `false` if it is not allowed.
    let set: @Sendable (inout SimulationOptions, String?) -> Bool

    private static let rates = 1...10

    package static var rows: [(term: String, meaning: String)] {
        all.map { ($0.name + ($0.placeholder.map { "=\($0)" } ?? ""), $0.meaning) }
    }

    static let all: [SimulationOption] = [
        .value(
            "lat", "DEGREES", "the latitude of the place where it begins", "degrees from -89 to 89", \.latitude,
            suitsTracks: false
        ) { PlainNumber.read($0, signed: true).flatMap { -89...89 ~= $0 ? $0 : nil } },
        .value(
            "lon", "DEGREES", "the longitude of that place", "degrees from -180 to 180", \.longitude,
            suitsTracks: false
        ) { PlainNumber.read($0, signed: true).flatMap { -180...180 ~= $0 ? $0 : nil } },
        SimulationOption(
            name: "at", placeholder: "PLACE", meaning: "that place in one word, such as a plus code",
            allowed: PlaceText.allowed, suitsScenarios: true, suitsTracks: false
        ) { options, value in
            var parts = value?.split(separator: ",", omittingEmptySubsequences: false)[...] ?? []
            guard let place = try? ReferencePoint(at: &parts).coordinate, parts.isEmpty else { return false }
            (options.latitude, options.longitude) = (min(89, max(-89, place.latitude)), place.longitude)
            return true
        },
        .value(
            "speed", "SPEED", "the speed instead of that of the scenario, or of the times of the track",
            SpeedText.allowed, \.speed
        ) { SpeedText.read($0) },
        .value(
            "noise", "METRES", "the standard deviation of the position at each epoch",
            "a length such as 3m, up to 1km", \.noise
        ) { (try? ValueSyntax<Double>.metres(above: nil).read($0)).flatMap { $0 <= 1000 ? $0 : nil } },
        .value(
            "rate", "N", "the number of epochs per second (default 1, for drive 5)",
            "a whole number from \(rates.lowerBound) to \(rates.upperBound)", \.rate
        ) { try? ValueSyntax<Int>.wholeNumber("N", in: rates).read($0) },
        .value(
            "corrections", "URL", "corrections for its gpsd, as for a serial receiver",
            "a caster, a server or a named pipe, without a password", \.corrections
        ) { try? ValueSyntax<CorrectionsSource>.corrections.read($0) },
        SimulationOption(
            name: "loop", placeholder: nil, meaning: "begin again at the end of the track",
            allowed: "loop without a value", suitsScenarios: false, suitsTracks: true
        ) { options, value in
            options.loops = true
            return value == nil
        },
    ]

    /// Returns an option with a value, which `read` parses, or returns `nil` for if it is not allowed.
    private static func value<Value>(
        _ name: String, _ placeholder: String, _ meaning: String, _ allowed: String,
        _ path: any WritableKeyPath<SimulationOptions, Value?> & Sendable, suitsTracks: Bool = true,
        _ read: @escaping @Sendable (String) -> Value?
    ) -> SimulationOption {
        SimulationOption(
            name: name, placeholder: placeholder, meaning: meaning, allowed: allowed, suitsScenarios: true,
            suitsTracks: suitsTracks
        ) { options, text in
            guard let value = text.flatMap(read) else { return false }
            options[keyPath: path] = value
            return true
        }
    }
}
