import LocationCore
import LocationTracks
import LocwatchPrinting

extension JSONPrinter {
    static func print(_ sample: ClockSample, at moment: Moment, into out: inout TextBuffer) {
        out.line("clock") { line in
            line.member("time", sample.receiverTime)
            line.member("device", sample.device)
            line.member("source", sample.source.rawValue)
            line.member("offset", secondsOf: sample.offsetNanoseconds)
            line.member("precision", sample.precision)
            line.member("qErr", sample.quantizationError)
            line.member("shm", sample.sharedMemoryUnit)
            line.member("received", moment.wall)
        }
    }

    static func print(_ change: PulseChange, into out: inout TextBuffer) {
        out.line("pulse") { line in
            line.member("time", change.moment.wall)
            line.member("device", change.device)
            switch change.change {
            case .seen(let pause):
                line.member("change", "seen")
                line.member("silence", pause)
            case .lost(let silence, _):
                line.member("change", "lost")
                line.member("reason", change.reason)
                line.member("silence", silence)
            }
        }
    }

    /// Appends the figures of a receiver's clock at the end of a session.
    static func print(_ report: ClockReport, _ lines: RefclockLines, into out: inout TextBuffer) {
        out.line("clockFigures") { line in
            line.member("device", report.device)
            line.member("source", report.source.rawValue)
            line.clock("pulse", report.pulse?.figures)
            line.clock("message", report.message?.figures)
            line.member("delay", secondsOf: report.delay?.nanoseconds)
            switch report.delay?.basis {
            case .pulse: line.member("delayBy", "pulse")
            case .systemClock: line.member("delayBy", "system")
            case nil: break
            }
            if report.quantization.count > 0 {
                line.object("qErr") { line in
                    line.member("count", report.quantization.count)
                    line.member("min", report.quantization.smallest)
                    line.member("max", report.quantization.largest)
                    line.member("rms", report.quantization.rootMeanSquare)
                }
            }
            line.member("leapseconds", report.leapSeconds)
            if report.pulse != nil {
                line.member("pulseSeen", report.watch.isSeen)
                line.member("pulseLosses", report.watch.losses)
            }
            line.member("wrongDate", report.wrongDate?.fault.code)
            if report.wrongDate == nil {
                line.member("chrony", lines.chrony)
                line.member("ntpsec", lines.ntpsec)
            }
        }
    }
}

extension TextBuffer {
    fileprivate mutating func member(_ key: StaticString, secondsOf nanoseconds: Int64?) {
        guard let nanoseconds else { return }
        put(key: key)
        put(secondsOf: nanoseconds)
    }

    /// Appends a computed figure in seconds to the picosecond.
    private mutating func member(_ key: StaticString, picosecondsOf nanoseconds: Double?) {
        member(key, nanoseconds.map { $0 / 1e9 }, decimals: 12)
    }

    /// Appends the figures of a clock, unless there are none.
    mutating func clock(_ key: StaticString, _ figures: ClockFigures?) {
        guard let figures else { return }
        object(key) { line in
            line.member("count", figures.count)
            line.member("median", secondsOf: figures.median)
            line.member("min", secondsOf: figures.smallest)
            line.member("max", secondsOf: figures.largest)
            line.member("spread", secondsOf: figures.spread)
            line.member("drift", figures.drift)
            line.member("jitter", picosecondsOf: figures.jitter)
            line.list("allan", figures.allanDeviations) { line, allan in
                line.member("interval", allan.interval)
                line.member("deviation", allan.deviation)
            }
        }
    }
}
