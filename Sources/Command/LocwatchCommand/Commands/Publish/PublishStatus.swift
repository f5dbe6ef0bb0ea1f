import LocationCore
import LocationPublishing
import LocwatchArguments
import LocwatchSession
import LocwatchTerminal

/// The line on the terminal that shows the session and the deliveries, rewritten in place.
final class PublishStatus {
    private let context: CommandContext
    private let isShown: Bool
    private var search = SearchProgress()
    private var rate = DeliveryRate()
    private var delay = DeliveryDelay()
    /// The states of all deliveries, and the time of their clock.
    private var deliveries: (statuses: [DeliveryStatus], time: Duration) = ([], .zero)
    /// The state of the deliveries in words, as the service manager shows it.
    var words: String {
        PublishStatusText.words(deliveries.statuses, at: deliveries.time, perSecond: rate.perSecond)
    }

    init(_ context: CommandContext) {
        self.context = context
        isShown = context.narrator.canShowLine
    }

    func process(_ update: TrackedUpdate) { search.process(update) }

    /// Shows the states of all deliveries, and the search unless the session has ended.
    func show(_ statuses: [DeliveryStatus], at now: Duration, session: Moment?) {
        rate.note(statuses, at: now)
        deliveries = (delay.withoutNew(statuses, at: now), now)
        guard isShown else { return }
        let line = search.line(
            after: words, at: session.flatMap { $0.elapsed > .zero ? $0 : nil }, columns: context.console.columns,
            glyphs: context.glyphs)
        if let line { context.narrator.show(line: line) }
    }

    var refreshInterval: Duration { delay.isUndecided ? DeliveryDelay.usual : .seconds(1) }
}

/// The time since when a target has queued records, which tells those that it takes at once from those that wait.
struct DeliveryDelay {
    /// The time in which a connected target usually takes a record.
    static let usual = Duration.milliseconds(100)

    private var since: Duration?
    /// Whether it is not known yet whether the records that were noted last wait.
    private(set) var isUndecided = false

    /// Returns the states without the queued records that a connected target has not had the time to take.
    mutating func withoutNew(_ statuses: [DeliveryStatus], at now: Duration) -> [DeliveryStatus] {
        guard statuses.contains(where: { $0.queued > 0 }) else {
            (since, isUndecided) = (nil, false)
            return statuses
        }
        let start = since ?? now
        (since, isUndecided) = (start, now - start < Self.usual)
        guard isUndecided else { return statuses }
        return statuses.map { status in
            var status = status
            if status.phase == .connected { status.queued = 0 }
            return status
        }
    }
}

/// The number of records per second that the targets have taken lately.
struct DeliveryRate {
    private static let interval = Duration.seconds(2)

    private var start: (time: Duration, taken: UInt64)?
    private(set) var perSecond = 0.0

    mutating func note(_ statuses: [DeliveryStatus], at now: Duration) {
        let taken = statuses.reduce(0) { $0 + $1.taken }
        guard let start else {
            self.start = (now, taken)
            return
        }
        guard now - start.time >= Self.interval else { return }
        perSecond = Double(taken - min(taken, start.taken)) / (now - start.time).inSeconds
        self.start = (now, taken)
    }
}

enum PublishStatusText {
    /// Returns the text, as in `connected, 5 queued, 120 sent, last 2 s ago`.
    static func words(_ statuses: [DeliveryStatus], at now: Duration, perSecond: Double) -> String {
        let connected = statuses.count { $0.phase == .connected }
        let queued = statuses.map(\.queued).max() ?? 0
        var parts: [String] = []
        if statuses.count == 1 {
            let isUnanswered = statuses[0].phase == .ready && queued > 0
            parts.append(isUnanswered ? statuses[0].delay : phase(statuses[0].phase))
        } else {
            parts.append("\(connected) of \(statuses.count) connected")
        }
        if let next = statuses.compactMap(\.nextAttempt).min() {
            parts.append("next attempt in \(Duration(clampingSeconds: (next - now).inSeconds.rounded(.up)).spoken)")
        }
        if queued > 0 { parts.append("\(queued) queued") }
        parts.append("\(statuses.reduce(0) { $0 + $1.taken }) sent")
        let omitted = statuses.reduce(0) { $0 + $1.omitted }
        if omitted > 0 { parts.append("\(omitted) left out") }
        if queued > 10, perSecond >= 1 {
            parts.append("\(Int(clamping: perSecond)) per second")
            parts.append("\(Duration(clampingSeconds: (Double(queued) / perSecond).rounded(.up)).spoken) left")
        } else if let last = statuses.compactMap(\.lastTaken).max() {
            parts.append("last \(Duration.seconds(max(.zero, now - last).components.seconds).spoken) ago")
        }
        return parts.joined(separator: ", ")
    }

    /// Returns the state of a connection in words.
    private static func phase(_ phase: DeliveryStatus.Phase) -> String {
        switch phase {
        case .idle, .connecting: "connecting"
        case .ready: "ready"
        case .connected: "connected"
        case .waiting, .held: "not connected"
        case .closing, .closed: "ending"
        }
    }
}
