import LocationCore
import LocationTracks

/// The satellites of a receiver as the screen shows them.
///
/// The number beside a bar is the last signal. Bars and colours follow the mean of some seconds, because a sky whose
/// marks change their colours at every epoch cannot be read, and costs as much traffic as everything else together.
struct SkyPicture: Sendable {
    struct Mark: Sendable {
        var constellation: Constellation?
        var number: Int
        var elevation: Double?
        var azimuth: Double?
        var isUsed: Bool
        /// The last signal in dB-Hz.
        var signal: Double?
        /// The mean of the last signals.
        var mean = Double.nan
        /// The mean as it is shown, which changes in steps; `nil` without a signal.
        var level: Double?

        /// An order of all satellites: by system and number.
        var identity: (Int, Int) { (constellation?.rawValue ?? 99, number) }

        /// The letter of the system and the number, as in G12.
        var label: String { (constellation?.letter ?? "") + (0..<10 ~= number ? "0" : "") + "\(number)" }
    }

    /// The time in which a mean follows two thirds of a change.
    private static let memory = 8.0
    /// The change of the mean in dB-Hz from which the shown level follows it.
    private static let step = 2.5

    /// The satellites in the order of the report.
    private(set) var marks: [Mark] = []
    private var noted: Moment?

    /// Replaces the satellites by different ones of a report, whose signals are averaged.
    mutating func update(_ satellites: [Satellite], at moment: Moment) {
        let passed = noted.map { max(0, (moment.elapsed - $0.elapsed).inSeconds) } ?? 0
        noted = moment
        let weight = passed / (passed + Self.memory)
        marks = satellites.enumerated().map { index, satellite in
            var mark = Mark(satellite)
            guard let signal = satellite.signal, signal > 0, signal.isFinite else { return mark }
            (mark.mean, mark.level) = (signal, signal)
            // Satellites whose number is not known yet have the same one; they keep their places in the report.
            let isInPlace = marks.indices ~= index && marks[index].identity == mark.identity
            let last = isInPlace ? marks[index] : marks.first { $0.identity == mark.identity }
            if let last, let level = last.level {
                mark.mean = last.mean + (signal - last.mean) * weight
                mark.level = abs(mark.mean - level) > Self.step ? mark.mean : level
            }
            return mark
        }
    }
}

extension SkyPicture.Mark {
    fileprivate init(_ satellite: Satellite) {
        constellation = satellite.constellation
        number = satellite.number ?? satellite.prn ?? 0
        // Fractions of a degree are less than a cell.
        elevation = satellite.elevation?.rounded()
        azimuth = satellite.azimuth?.rounded()
        isUsed = satellite.isUsed
        signal = satellite.signal
    }
}
