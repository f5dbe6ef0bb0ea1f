package import LocationCore
import LocwatchTerminal

/// The satellites of a receiver, on one line.
struct SkyText {
    let parts: [String]

    init(_ sky: SkyView, named name: String = "") {
        let counts = [sky.seen.map { "\($0) seen" }, sky.used.map { "\($0) used" }].compactMap(\.self)
        let signal = ReasonText.sky(seen: nil, used: nil, best: sky.bestSignal)
        let satellites = sky.distinctSatellites ?? []
        let systems = Constellation.allCases.compactMap { system -> String? in
            let own = satellites.filter { $0.constellation == system }
            return own.isEmpty ? nil : "\(system.name) \(own.count { $0.isUsed })/\(own.count)"
        }
        let dilution = sky.dilution.horizontal.map { hdop in
            "HDOP " + TextBuffer.text { $0.put(fixed: hdop, decimals: 1) }
        }
        var parts = [(counts + signal).joined(separator: ", "), systems.joined(separator: " "), dilution ?? ""]
            .filter { !$0.isEmpty }
        if !name.isEmpty, let first = parts.first { parts[0] = "\(name): \(first)" }
        self.parts = parts
    }

    /// Returns the text, fitted to a width.
    func words(to columns: Int, _ glyphs: Glyphs) -> String {
        ShortenedText.list(parts, separator: " \(glyphs.separator) ", to: columns, glyphs)
    }
}

/// A receiver and its activity, on one line.
package struct DeviceText {
    package var words: String { words { $0 } }

    private let status: DeviceStatus

    package init(_ status: DeviceStatus) { self.status = status }

    /// Returns the text with the path passed through `shorten`.
    func words(_ shorten: (String) -> String) -> String {
        let details = status.words.map { " (\($0))" } ?? ""
        return "\(shorten(status.path.printable))\(details): \(status.activity.words)"
    }
}

extension DeviceStatus.Activity {
    /// Whether the receiver cannot be used, so that waiting for it reveals nothing more.
    package var isTrouble: Bool {
        switch self {
        case .silent, .babbling, .unopenable, .gone: true
        case .unknown, .idle, .reporting: false
        }
    }

    /// The activity as people read it.
    var words: String {
        switch self {
        case .unknown: "nothing is known yet"
        case .idle: "not in use"
        case .unopenable: "cannot be opened"
        case .silent: "sends no readable data"
        case .babbling: "sends unrecognized data"
        case .reporting: "reporting"
        case .gone: "gone"
        }
    }
}

extension Location {
    /// The quality of the fix, with the age of its corrections and their station if it has any, as in
    /// `RTK fixed, 1.0 s old, station 77`.
    package var qualityWords: String { qualityWords(briefly: false).joined(separator: ", ") }

    /// Returns the quality of the fix, with the age of its corrections in whole seconds alone if it is to be brief, as in
    /// `RTK fixed 1 s old`.
    func qualityWords(briefly: Bool) -> [String] {
        let age = briefly ? correctionAge(decimals: 0).map { [$0] } ?? [] : correctionWords
        return [quality.words] + age
    }

    /// The age of the corrections and their station, as far as they are known.
    package var correctionWords: [String] {
        [correctionAge(decimals: 1), self[count: .dgpsStation].map { "station \($0)" }].compactMap(\.self)
    }

    /// Returns the age of the corrections, with decimals if it is below 10 s.
    private func correctionAge(decimals: Int) -> String? {
        self[.dgpsAge].map { age in TextBuffer.text { $0.put(fixed: age, decimals: age < 10 ? decimals : 0) } + " s old"
        }
    }
}

extension FixQuality {
    /// The quality as people read it.
    package var words: String {
        switch self {
        case .ordinary: "ordinary"
        case .differential: "differential"
        case .rtkFixed: "RTK fixed"
        case .rtkFloat: "RTK float"
        case .deadReckoning: "dead reckoning"
        case .satellitesAndDeadReckoning: "GNSS+DR"
        case .surveyedTime: "surveyed"
        case .simulated: "simulated"
        case .precisionCode: "P(Y)"
        case .other(let status): "status \(status)"
        }
    }
}
