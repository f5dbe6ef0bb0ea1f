import LocationCore
import LocationTracks
import LocwatchPrinting

extension JSONPrinter {
    /// Appends the statistics of a session as one line.
    func print(_ statistics: TrackStatistics, into out: inout TextBuffer) {
        out.line("stats") { line in
            line.member("began", statistics.began?.wall)
            line.member("ended", statistics.ended?.wall)
            line.member("duration", statistics.duration)
            line.member("epochs", statistics.epochs)
            line.member("skies", statistics.skyViews)
            line.member("rate", rounded: statistics.rate)
            line.member("late", statistics.late)
            line.member("untimed", statistics.untimed)
            line.member("firstFix", statistics.timeToFirstFix)
            line.member("found", statistics.foundTime)
            line.member("availability", rounded: statistics.availability)
            line.list("gaps", statistics.gaps) { line, gap in
                line.member("time", gap.start.wall)
                line.member("length", gap.length)
                line.member("reason", gap.reason)
            }
            line.list("fixes", statistics.fixes.sorted { $0.key < $1.key }) { line, fix in
                line.member("mode", fix.key.rawValue)
                line.member("epochs", fix.value)
            }
            let qualities = statistics.qualities.map { ($0.key.code, $0.value) }.sorted { $0 < $1 }
            line.list("qualities", qualities) { line, quality in
                line.member("quality", quality.0)
                line.member("epochs", quality.1)
            }
            let devices = statistics.devices.sorted { ($0.key ?? "") < ($1.key ?? "") }
            line.list("devices", devices) { line, device in
                line.member("device", device.key)
                line.member("epochs", device.value)
            }
            line.member("handovers", statistics.handovers)
            if statistics.dateJumps.count > 0 { line.member("dateJumps", statistics.dateJumps.count) }
            let integrity = statistics.integrity
            if !integrity.isNominal {
                line.member("suspect", integrity.suspectTime)
                line.member("suspects", integrity.suspects)
                line.member("alarm", integrity.alarmTime)
                line.member("alarms", integrity.alarms)
                line.member("reasons", integrity.reasons.codes)
            }
            line.list("receivers", statistics.receivers) { line, receiver in
                line.member("device", receiver.device)
                line.member("epochs", receiver.epochs)
                line.member("late", receiver.late)
                line.member("interval", receiver.reportInterval)
                line.member("firstFix", receiver.timeToFirstFix)
                line.member("found", receiver.foundTime)
                line.member("availability", rounded: receiver.availability)
                line.member("gaps", receiver.gaps.count)
                line.member("longestGap", receiver.gaps.map(\.length).max())
                line.distribution("eph", receiver.horizontalAccuracy)
            }
            line.distribution("seen", statistics.seen)
            line.distribution("used", statistics.used)
            let signals = statistics.signals.sorted { ($0.key?.rawValue ?? .max) < ($1.key?.rawValue ?? .max) }
            line.list("signals", signals) { line, signal in
                line.member("gnss", signal.key?.name)
                line.distribution("ss", signal.value)
            }
            line.distribution("hdop", statistics.horizontalDilution)
            line.distribution("vdop", statistics.verticalDilution)
            line.distribution("pdop", statistics.positionDilution)
            line.distribution("eph", statistics.horizontalAccuracy)
            line.distribution("epv", statistics.verticalAccuracy)
            line.distribution("eps", statistics.speedAccuracy)
            line.distribution("clockOffset", statistics.clockOffset)
            if !statistics.clocks.isEmpty {
                line.list("clocks", statistics.clocks.all) { line, receiver in
                    line.member("device", receiver.device)
                    line.clock("pulse", ClockFigures(receiver.clock.pulses))
                    line.clock("message", ClockFigures(receiver.clock.messages))
                }
            }
            if let reference = statistics.reference { line.object("reference") { members(of: reference, &$0) } }
            if let scatter = statistics.scatter { line.object("standstill") { members(of: scatter, &$0) } }
            if statistics.epochs > 0, !statistics.isFleet {
                line.object("motion") { members(of: statistics.motion, &$0) }
            }
        }
    }

    private func members(of scatter: Scatter, _ line: inout TextBuffer) {
        line.member("positions", scatter.count)
        line.member("duration", scatter.duration)
        line.member("lat", scatter.mean.latitude, precision)
        line.member("lon", scatter.mean.longitude, precision)
        line.member("error", rounded: scatter.meanError?.radius)
        line.member("heightError", rounded: scatter.meanError?.vertical)
        line.member("correlation", rounded: scatter.meanError?.correlationTime)
        if scatter.meanError == nil { line.member("tooShort", true) }
        line.member("cep50", rounded: scatter.cep50)
        line.member("cep95", rounded: scatter.cep95)
        line.member("drms", rounded: scatter.drms)
        line.member("drms2", rounded: scatter.twiceDRMS)
        line.member("sep", rounded: scatter.sep)
        line.member("height", rounded: scatter.meanHeight)
        line.member("heightDeviation", rounded: scatter.heightDeviation)
        line.member("heightRange", rounded: scatter.heightRange)
        line.member("medianEph", rounded: scatter.medianReported)
        line.member("withinEph", rounded: scatter.shareWithinReported)
        line.member("cep95ByEph", rounded: scatter.reportedRatio)
    }

    private func members(of figures: ReferenceFigures, _ line: inout TextBuffer) {
        let (distances, heights) = (figures.distances, figures.heights)
        line.member("lat", figures.point.coordinate.latitude, precision)
        line.member("lon", figures.point.coordinate.longitude, precision)
        line.member("height", figures.point.height)
        line.member("positions", distances.count)
        line.member("mean", rounded: distances.mean)
        line.member("cep50", rounded: distances.median)
        line.member("cep95", rounded: distances.quantile(0.95))
        line.member("worst", rounded: distances.maximum)
        if distances.count > 0 {
            line.member("east", rounded: figures.mean.east)
            line.member("north", rounded: figures.mean.north)
        }
        line.member("up", rounded: heights.mean)
        line.member("upDeviation", rounded: heights.deviation)
        guard let drift = figures.drift else { return }
        line.member("driftEast", rounded: drift.east)
        line.member("driftNorth", rounded: drift.north)
    }

    private func members(of motion: MotionStatistics, _ line: inout TextBuffer) {
        line.member("distance", rounded: motion.distance)
        line.member("rawDistance", rounded: motion.rawDistance)
        line.member("moving", motion.movingTime)
        line.member("standing", motion.standingTime)
        line.member("averageSpeed", rounded: motion.averageMovingSpeed)
        line.distribution("speed", motion.speeds)
        guard motion.isHeightKnown else { return }
        line.member("ascent", rounded: motion.ascent)
        line.member("descent", rounded: motion.descent)
    }
}

extension TextBuffer {
    /// Appends a computed figure, rounded to six decimals because further ones are meaningless.
    fileprivate mutating func member(_ key: StaticString, rounded number: Double?) {
        member(key, number, decimals: 6)
    }

    fileprivate mutating func distribution(_ key: StaticString, _ values: Distribution) {
        guard values.count > 0 else { return }
        object(key) { line in
            line.member("count", values.count)
            line.member("min", rounded: values.minimum)
            line.member("median", rounded: values.median)
            line.member("p95", rounded: values.quantile(0.95))
            line.member("max", rounded: values.maximum)
            line.member("mean", rounded: values.mean)
            line.member("deviation", rounded: values.deviation)
        }
    }
}
