import LocationCore
import LocationTracks

/// The satellites of a receiver as the screen shows them.
///
/// The number beside a bar is the last signal. Bars and colours follow the mean of some seconds, because a sky whose
/// marks change their colours at every epoch cannot be read, and costs as much traffic as everything else together.
struct SkyPicture: Sendable {
    struct Mark: Hashable, Sendable {
        var constellation: Constellation?
        var number: Int
        var band: Int
        var elevation: Double?
        var azimuth: Double?
        var isUsed: Bool
        /// The mean signal in dB-Hz, which changes in steps; `nil` without a signal.
        var level: Double?

        /// An order of all satellites: by system and number.
        var identity: (Int, Int, Int) { (constellation?.rawValue ?? 99, number, band) }
    }

    /// The time in which a mean follows two thirds of a change.
    private static let memory = 8.0
    /// The change of the mean in dB-Hz from which the shown level follows it.
    private static let step = 2.5

    /// The satellites in the order of the report.
    private(set) var marks: [Mark] = []
    /// The last signals, and their means, of `marks`.
    private(set) var signals: [Double?] = []
    private var means: [Double] = []
    private var noted: Moment?

    /// Replaces the satellites by those of a report, whose signals are averaged.
    mutating func update(_ satellites: [Satellite], at moment: Moment) {
        let passed = noted.map { max(0, (moment.elapsed - $0.elapsed) / .seconds(1)) } ?? 0
        noted = moment
        let weight = passed / (passed + Self.memory)
        var new: [Mark] = []
        var newMeans: [Double] = []
        new.reserveCapacity(satellites.count)
        newMeans.reserveCapacity(satellites.count)
        for (index, satellite) in satellites.enumerated() {
            var mark = Mark(satellite)
            // Receivers report the same satellites in the same order for minutes.
            let place = index < marks.count && marks[index].isSame(mark) ? index : marks.firstIndex { $0.isSame(mark) }
            var mean = Double.nan
            if let signal = satellite.signal, signal > 0, signal.isFinite {
                mark.level = signal
                mean = signal
                if let place, let level = marks[place].level {
                    mean = means[place] + (signal - means[place]) * weight
                    mark.level = abs(mean - level) > Self.step ? mean : level
                }
            }
            new.append(mark)
            newMeans.append(mean)
        }
        signals = satellites.map(\.signal)
        means = newMeans
        marks = new
    }

    mutating func removeAll() { self = SkyPicture() }
}

extension SkyPicture.Mark {
    fileprivate init(_ satellite: Satellite) {
        constellation = satellite.constellation
        number = satellite.number ?? satellite.prn ?? 0
        band = satellite.signalBand ?? 0
        // Fractions of a degree are less than a cell.
        elevation = satellite.elevation?.rounded()
        azimuth = satellite.azimuth?.rounded()
        isUsed = satellite.isUsed
    }

    fileprivate func isSame(_ other: Self) -> Bool {
        number == other.number && constellation == other.constellation && band == other.band
    }

    /// The letter of the system and the number, as in G12.
    var label: String { (constellation?.letter ?? "") + (0..<10 ~= number ? "0" : "") + "\(number)" }
}
