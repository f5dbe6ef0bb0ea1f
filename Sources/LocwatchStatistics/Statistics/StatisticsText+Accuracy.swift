import LocationCore
import LocationTracks
import LocwatchPrinting
import LocwatchTerminal

/// The figures about how accurate positions are: as reported, against a point whose place is known, and while nothing moves.
extension StatisticsText {
    /// Writes the accuracies that the receivers report.
    func accuracies(_ statistics: TrackStatistics, _ out: inout TextBuffer) {
        var label = "Reported"
        for (name, values) in [
            ("horizontal", statistics.horizontalAccuracy), ("vertical", statistics.verticalAccuracy),
        ] {
            guard let median = values.median, let high = values.quantile(0.95), let worst = values.maximum else {
                continue
            }
            row(label, &out) { line in
                line.put(style.glyphs.plusMinus)
                line.put(length: median, in: style.units)
                line.put(" \(name) (95 % below ")
                line.put(length: high, in: style.units)
                line.put(", worst ")
                line.put(length: worst, in: style.units)
                line.put(")")
            }
            label = ""
        }
        if let median = statistics.speedAccuracy.median {
            row(label, &out) { line in
                line.put(style.glyphs.plusMinus)
                line.put(speed: median, in: style.units)
                line.put(" speed")
            }
        }
    }

    /// Writes the errors against a point whose place is known.
    func reference(_ figures: ReferenceFigures, _ out: inout TextBuffer) {
        row("Reference", &out) { line in
            line.put(coordinate: figures.point.coordinate.latitude, .latitude, style)
            line.put(", ")
            line.put(coordinate: figures.point.coordinate.longitude, .longitude, style)
            guard let height = figures.point.height else { return }
            line.put(", ")
            line.put(length: height, in: style.units)
        }
        guard let mean = figures.distances.mean, let worst = figures.distances.maximum,
            let half = figures.distances.median, let most = figures.distances.quantile(0.95)
        else { return row("", &out) { $0.put("no positions to compare") } }
        row("", &out) { line in
            for (name, metres) in [("error CEP50 ", half), (", CEP95 ", most), (", mean ", mean), (", worst ", worst)] {
                line.put(name)
                line.put(distance: metres, in: style.units)
            }
        }
        row("", &out) { line in
            line.put("mean position ")
            put(figures.mean, in: &line)
        }
        if let up = figures.heights.mean, let deviation = figures.heights.deviation {
            row("", &out) { line in
                line.put("mean height ")
                line.put(length: abs(up), in: style.units)
                line.put(" too \(up < 0 ? "low" : "high"), deviation ")
                line.put(length: deviation, in: style.units)
            }
        }
        guard let drift = figures.drift else { return }
        row("", &out) { line in
            line.put("drift in an hour ")
            put(drift, in: &line)
        }
    }

    /// Appends metres to the east and to the north, as in `1.2 m east, 0.4 m south`.
    private func put(_ offset: (east: Double, north: Double), in line: inout TextBuffer) {
        line.put(distance: abs(offset.east), in: style.units)
        line.put(offset.east < 0 ? " west, " : " east, ")
        line.put(distance: abs(offset.north), in: style.units)
        line.put(offset.north < 0 ? " south" : " north")
    }

    /// Writes the scatter of the longest standstill.
    func standstill(_ scatter: Scatter, _ out: inout TextBuffer) {
        row("Standstill", &out) { line in
            line.put("longest ")
            line.put(spoken: scatter.duration)
            line.put(", \(scatter.count.counting("position"))")
        }
        row("", &out) { line in
            line.put("mean position ")
            line.put(coordinate: scatter.mean.latitude, .latitude, style)
            line.put(", ")
            line.put(coordinate: scatter.mean.longitude, .longitude, style)
        }
        let circles = [("CEP50", scatter.cep50), ("CEP95", scatter.cep95), ("SEP", scatter.sep)]
        for figures in [circles, [("DRMS", scatter.drms), ("2DRMS", scatter.twiceDRMS)]] {
            row("", &out) { line in
                let start = line.count
                for (name, metres) in figures {
                    guard let metres else { continue }
                    if line.count > start { line.put(", ") }
                    line.put(name + " ")
                    line.put(length: metres, in: style.units)
                }
            }
        }
        if let height = scatter.meanHeight, let deviation = scatter.heightDeviation, let range = scatter.heightRange {
            row("", &out) { line in
                line.put("height ")
                line.put(length: height, in: style.units)
                line.put(", deviation ")
                line.put(length: deviation, in: style.units)
                line.put(", range ")
                line.put(length: range, in: style.units)
            }
        }
        guard let reported = scatter.medianReported, let within = scatter.shareWithinReported else { return }
        row("", &out) { line in
            line.put("\(Self.percent(within)) within the reported accuracy of \(style.glyphs.plusMinus)")
            line.put(length: reported, in: style.units)
        }
    }
}
