import LocationPublishing
import LocationTransports
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The publication of a single position, which succeeds only when every target has taken it.
struct OnePublication {
    private let targets: [PreparedTarget]

    /// Prepares the targets of the settings; `nil` without targets.
    init?(_ settings: Settings, _ context: CommandContext) throws(PublishFailure) {
        guard !settings.publishing.targets.isEmpty else { return nil }
        targets = try PublishSetup.targets(settings, context.environment, isForOneRecord: true)
        if let target = targets.first(where: \.encoder.needsReader) {
            throw PublishFailure(
                "\(target.word.description) is removed when 'once' ends, before a program could read it: use 'locwatch publish'",
                .usage)
        }
    }

    /// Whether a target makes an entry at a path, as a confined program cannot.
    var makesEntries: Bool { targets.contains(where: \.makesEntry) }

    /// Publishes a record, and waits until it was taken or the time is over.
    ///
    /// - Returns: A message for each target that has not taken it.
    func publish(
        _ record: PublishRecord, within limit: Duration, signals: Event
    ) throws(PublishFailure) -> [String] {
        let publisher: LocationPublisher
        do throws(PublisherError) {
            publisher = try LocationPublisher(targets, queue: .memory())
        } catch {
            throw PublishFailure(error)
        }
        publisher.publish(record)
        let end = DeliveryClock.now + limit
        let wait = DeliveryWait(publisher, signals: signals)
        publisher.startFinishing(within: limit)
        try? wait.run {
            publisher.acknowledgeChanges()
            let isDecided = publisher.deliveries.allSatisfy { status in
                status.isHeld || status.done > 0
            }
            return publisher.hasEnded || isDecided || DeliveryClock.now >= end
        }
        if DeliveryClock.now >= end { publisher.abandon() }
        return zip(targets, publisher.deliveries).compactMap { target, status in
            guard status.taken == 0 else { return nil }
            let isOmitted = status.omitted > 0
            let cause = isOmitted ? "it needs no message" : status.lastObstacle ?? "no answer within \(limit.spoken)"
            return "not published to \(target.word.description): \(cause)"
        }
    }
}
