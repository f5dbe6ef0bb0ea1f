import LocationCore
import LocwatchArguments
import LocwatchTerminal

extension Duration {
    /// The number of cycles of this duration in a second, as in `5 Hz` or `0.5 Hz`.
    var hertz: String { rateNumber + " Hz" }

    /// The number of cycles of this duration in a second, with three significant digits.
    var rateNumber: String {
        let rate = self > .zero ? 1 / inSeconds : 0
        let decimals = if rate < 1 { 3 } else if rate < 10 { 2 } else { 1 }
        return TextBuffer.text { $0.put(trimmed: rate, decimals: decimals) }
    }
}

/// The words for a receiver's rate and for a change of it.
struct RateText: Hashable, Sendable {
    /// The source, to which the command line of a change goes.
    let source: SourceWord
    /// The receiver that was named, if any.
    let device: String?

    /// Returns the line about a receiver: its driver, its rate, and what is possible.
    func line(_ report: RateReport, before: Duration? = nil) -> String {
        let status = report.status
        var text = "\(status.path.printable) (\(status.driver?.printable ?? "unknown")): "
        text += report.cycle?.hertz ?? "no positions, so its rate is not known"
        if let before { text += ", before \(before.hertz)" }
        if let shortest = status.shortestCycle {
            text += "; up to \(shortest.hertz) by its driver"
        } else {
            text += "; gpsd cannot change it"
        }
        if let capacity = report.capacity {
            text += "; \(capacity.shortestCycle.hertz) by its line: \(words(capacity))"
        }
        return text
    }

    /// The words after a change: how long it lasts, and the ways back.
    func advice(_ report: RateReport, before: Duration) -> [String] {
        var lines = [
            "the receiver keeps the rate until it loses its power, which is also the way back; so is "
                + way(back: before)
        ]
        if report.status.driver == "MTK-3301" {
            lines.append("a gpsd that may write sets a MediaTek receiver to 1 Hz again whenever it opens it")
        }
        return lines
    }

    /// Returns the words for a session that ended while a change was not measured yet.
    func unfinished(_ change: RateChange) -> String? {
        guard change.isUnfinished, let path = change.status?.path, let before = change.before, let wish = change.wish
        else { return nil }
        if case .undoing = change.phase {
            return "\(path) was asked for \(before.hertz) again, which was not measured"
        }
        return "\(path) was asked for \(wish.hertz), which was not measured to the end; the way back "
            + "to \(before.hertz) is \(way(back: before)), or to cut its power"
    }

    private func way(back before: Duration) -> String {
        let choice = device.map { "--device \(ShellWords.quoted($0)) " } ?? ""
        return source.line("devices \(choice)--rate \(before.rateNumber)")
    }

    private func words(_ capacity: LineCapacity) -> String {
        "\(capacity.bytesPerEpoch) bytes an epoch at \(capacity.bitsPerSecond) bit/s"
    }

    /// Returns the reason why nothing was changed.
    func reason(_ refusal: RateRefusal) -> String {
        switch refusal {
        case .noReceiver: "gpsd has no receiver that it can read"
        case .severalReceivers(let paths):
            "there are \(paths.count) receivers; choose one with --device: \(EnglishList.or(Array(paths.prefix(8))))"
        case .readOnly(let device):
            "gpsd was started with -b, so that it writes nothing to \(device); remove -b from GPSD_OPTIONS in "
                + "/etc/default/gpsd, then: sudo systemctl restart gpsd.socket gpsd"
        case .noData(let device):
            "\(device) has sent nothing that gpsd understands; \(source.doctor ?? "'locwatch doctor'") finds the reason"
        case .noRate(let device, let driver):
            "gpsd cannot change the rate of \(device), whose driver is \(driver); it can for receivers of u-blox and MediaTek "
                + "that answer its questions: see 'locwatch help receiver'"
        case .noPosition(let device):
            "\(device) has no position, without which its rate cannot be measured; nothing was changed"
        case .tooFast(_, let wish, let shortest):
            "\(wish.hertz) is too fast for gpsd's driver of the receiver, which sets up to \(shortest.hertz)"
        case .slowLine(_, let wish, let capacity):
            "\(wish.hertz) is too fast for the line, which carries \(capacity.shortestCycle.hertz): \(words(capacity)); "
                + "a faster line or fewer messages carry more: see 'locwatch help receiver'"
        }
    }

    /// Returns what has become of a rate that the receiver has not taken.
    func reason(
        _ failure: RateFailure, _ report: RateReport, wish: Duration, before: Duration, isMeasured: Bool
    ) -> String {
        let cause =
            switch failure {
            case .says(let cycle): "it says that it has \(cycle.hertz)"
            case .measures(let cycle): "it has \(cycle.hertz)"
            case .loses(let count): "\(count.counting("epoch")) did not arrive in time"
            case .silent: "no position arrives any more"
            }
        let end =
            isMeasured
            ? "; it has \(before.hertz) again"
            : "; it was asked for \(before.hertz) again, but that was not measured: without power it forgets what it was asked for"
        return "\(report.status.path) has not taken \(wish.hertz): \(cause)\(end)"
    }
}

extension RateOutcome {
    /// The exit code of the command.
    var code: ExitCode {
        switch self {
        case .shown, .unchanged, .changed: .done
        case .undone: .negative
        case .refused(let refusal):
            switch refusal {
            case .severalReceivers, .tooFast: .usage
            case .readOnly: .denied
            case .noPosition: .noFix
            case .noReceiver, .noData, .noRate, .slowLine: .unavailable
            }
        }
    }

    /// The name of the outcome in JSON.
    var name: String {
        switch self {
        case .shown: "shown"
        case .unchanged: "unchanged"
        case .changed: "changed"
        case .undone: "undone"
        case .refused: "refused"
        }
    }

    /// The receiver, if it was looked at.
    var report: RateReport? {
        switch self {
        case .shown(let report), .unchanged(let report), .changed(let report, _), .undone(_, let report, _, _): report
        case .refused(.tooFast(let report, _, _)), .refused(.slowLine(let report, _, _)): report
        case .refused: nil
        }
    }

    /// The cycle before a change, if there was one.
    var before: Duration? {
        switch self {
        case .changed(_, let before), .undone(_, _, let before, _): before
        case .shown, .unchanged, .refused: nil
        }
    }
}
