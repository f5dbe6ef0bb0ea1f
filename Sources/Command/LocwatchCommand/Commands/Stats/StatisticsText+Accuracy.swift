import LocationCore
import LocationTracks
import LocwatchTerminal

/// The figures about how accurate positions are: as reported, against a point whose place is known, and while nothing moves.
extension StatisticsText {
    /// The accuracy of the speed in metres per second beyond which it says nothing.
    ///
    /// gpsd derives one from the accuracies of two positions if the receiver reports none, which is mostly tens of metres per second.
    private static let meaninglessSpeedAccuracy = 10.0

    var accuracies: [Phrase] {
        let lengths = [("horizontal", statistics.horizontalAccuracy), ("vertical", statistics.verticalAccuracy)]
        let speed = statistics.speedAccuracy.median.flatMap { $0 > Self.meaninglessSpeedAccuracy ? nil : $0 }
        let last = speed.map { ["\(within: "\(speed: $0)") speed"] as [Phrase] } ?? []
        return lengths.compactMap { name, values -> Phrase? in
            guard let median = values.median, let high = values.quantile(0.95), let worst = values.maximum else {
                return nil
            }
            return "\(within: "\(length: median)") \(name) (95 % below \(length: high), worst \(length: worst))"
        } + last
    }

    /// Returns the errors against a point whose place is known.
    func reference(_ figures: ReferenceFigures) -> [Phrase] {
        let height = figures.point.height.map { "\(length: $0)" as Phrase }
        let point: Phrase = .joined(["\(figures.point.coordinate)", height])
        guard let mean = figures.distances.mean, let worst = figures.distances.maximum,
            let half = figures.distances.median, let most = figures.distances.quantile(0.95)
        else { return [point, "no positions to compare"] }
        let circles: Phrase = "error CEP50 \(distance: half), CEP95 \(distance: most)"
        var phrases = [
            point, "\(circles), mean \(distance: mean), worst \(distance: worst)",
            "mean position \(offset(figures.mean))",
        ]
        if let up = figures.heights.mean, let deviation = figures.heights.deviation {
            let side = up < 0 ? "low" : "high"
            phrases.append("mean height \(length: abs(up)) too \(side), deviation \(length: deviation)")
        }
        if let drift = figures.drift { phrases.append("drift in an hour \(offset(drift))") }
        return phrases
    }

    /// Returns metres to the east and to the north, as in `1.2 m east, 0.4 m south`.
    private func offset(_ offset: (east: Double, north: Double)) -> Phrase {
        let (side, end) = (offset.east < 0 ? "west" : "east", offset.north < 0 ? "south" : "north")
        return "\(distance: abs(offset.east)) \(side), \(distance: abs(offset.north)) \(end)"
    }

    /// Returns the scatter of the longest standstill; that of fewer than ten positions is meaningless.
    func standstill(_ scatter: Scatter) -> [Phrase] {
        guard scatter.count >= 10 else { return [] }
        func named(_ name: String, _ metres: Double?) -> Phrase? { metres.map { "\(name) \(length: $0)" } }
        var phrases: [Phrase] = [
            "longest \(scatter.duration.spoken), \(scatter.count.counting("position"))",
            "mean position \(scatter.mean)",
            scatter.meanError.map { "known to \(within: "\(length: $0.radius)") (95 %), but for a constant error" }
                ?? "too short to tell how well it is known",
            .joined([named("CEP50", scatter.cep50), named("CEP95", scatter.cep95), named("SEP", scatter.sep)]),
            .joined([named("DRMS", scatter.drms), named("2DRMS", scatter.twiceDRMS)]),
        ]
        if let height = scatter.meanHeight, let deviation = scatter.heightDeviation, let range = scatter.heightRange {
            phrases.append("height \(length: height), deviation \(length: deviation), range \(length: range)")
        }
        if let reported = scatter.medianReported, let within = scatter.shareWithinReported {
            phrases.append("\(Self.percent(within)) within the reported accuracy of \(within: "\(length: reported)")")
        }
        return phrases
    }
}
