package import LocationCore
package import LocwatchTerminal

/// A change of the delivery to a target, for the output of `publish`.
package struct DeliveryReport: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        case connected
        /// The connection failed, and is tried again after a time.
        case waiting(cause: String, retry: Duration)
        /// The target refused the client or a record, and is tried again after a time.
        case held(cause: String, retry: Duration)
        /// Every record was sent, after an outage.
        case complete
        /// Records were given up since the last report.
        case dropped(Int)
        /// Records were skipped since the last report, because the target refused them.
        case rejected(Int)
        case ended
    }

    package var time: Timestamp
    package var target: String
    package var change: Change
    /// The number of records that the target has not taken yet.
    package var queued: Int
    package var sent: UInt64

    package init(time: Timestamp, target: String, change: Change, queued: Int, sent: UInt64) {
        self.time = time
        self.target = target
        self.change = change
        self.queued = queued
        self.sent = sent
    }
}

extension DeliveryReport.Change {
    package var word: String {
        switch self {
        case .connected: "connected"
        case .waiting: "waiting"
        case .held: "held"
        case .complete: "complete"
        case .dropped: "dropped"
        case .rejected: "rejected"
        case .ended: "ended"
        }
    }

    package var cause: String? { obstacle?.cause }
    package var retry: Duration? { obstacle?.retry }

    private var obstacle: (cause: String, retry: Duration)? {
        switch self {
        case .waiting(let cause, let retry), .held(let cause, let retry): (cause, retry)
        case .connected, .complete, .dropped, .rejected, .ended: nil
        }
    }

    package var records: Int? {
        switch self {
        case .dropped(let count), .rejected(let count): count
        case .connected, .waiting, .held, .complete, .ended: nil
        }
    }
}

extension DeliveryReport {
    /// Returns the text for people, fitted to a width: the target is shortened before anything else.
    package func words(to columns: Int, _ glyphs: Glyphs) -> String {
        guard let cause = change.cause?.printable else {
            return ShortenedText.names(to: columns, glyphs) { sentence(name: $0(target)) }
        }
        let next = change.retry.map { "; next attempt in \($0.rounded.spoken)" } ?? ""
        return ShortenedText.first(
            of: ["\(target): \(cause)\(next)", "\(target): \(cause)", "\(cause)\(next)", cause], to: columns, glyphs)
    }

    private func sentence(name: String) -> String {
        switch change {
        case .connected: queued > 1 ? "\(name), \(queued.counting("record")) queued" : name
        case .waiting, .held: name
        case .complete: "\(name): nothing queued, \(sent.counting("record")) sent"
        case .dropped(let count): "\(name): \(count.counting("record")) dropped"
        case .rejected(let count): "\(name): \(count.counting("record")) refused and skipped"
        case .ended: queued > 0 ? "\(name): \(queued.counting("record")) not sent" : "\(name): ended"
        }
    }
}

extension Duration {
    /// The duration in whole seconds from 10 s on, and with tenths below.
    fileprivate var rounded: Duration {
        let step = self < .seconds(10) ? Duration.milliseconds(100) : .seconds(1)
        return step * Int64(clamping: (self / step).rounded())
    }
}
