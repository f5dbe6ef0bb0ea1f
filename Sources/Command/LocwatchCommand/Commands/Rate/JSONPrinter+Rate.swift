import LocationCore
import LocwatchPrinting

extension JSONPrinter {
    /// Appends the result of `devices --rate`.
    static func print(_ outcome: RateOutcome, wish: Duration?, at moment: Moment, into out: inout TextBuffer) {
        out.line("rate") { line in
            line.member("time", moment.wall)
            line.member("device", outcome.report?.status.path)
            line.member("result", outcome.name)
            line.member("driver", outcome.report?.status.driver)
            line.member("rate", outcome.report?.cycle?.perSecond)
            line.member("wish", wish?.perSecond)
            line.member("before", outcome.before?.perSecond)
            line.member("driverRate", outcome.report?.status.shortestCycle?.perSecond)
            line.member("lineRate", outcome.report?.capacity?.shortestCycle.perSecond)
        }
    }
}

extension Duration {
    /// The number of cycles of this duration in a second, to a thousandth.
    fileprivate var perSecond: Double? { self > .zero ? (1000 / inSeconds).rounded() / 1000 : nil }
}
