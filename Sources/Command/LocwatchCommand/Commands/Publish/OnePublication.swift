import Glibc
import LocationPublishing
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The publication of a single position, which succeeds only when every target has taken it.
final class OnePublication {
    private let targets: [PreparedTarget]
    private var publisher: LocationPublisher?
    private var limit = Duration.zero
    private var end = Duration.zero
    /// Whether it was asked to publish.
    private(set) var hasBegun = false
    /// Why it could not begin.
    private var obstacle: StartFailure?

    /// Prepares the targets of the settings; `nil` without targets.
    init?(_ session: CommandSession) throws(StartFailure) {
        guard !session.settings.publishing.targets.isEmpty else { return nil }
        targets = try PublishSetup.targets(session.settings, session.context.environment, isForOneRecord: true)
        if let target = targets.first(where: \.encoder.needsReader) {
            throw StartFailure(
                "\(target.word.description) is removed when 'once' ends, before a program could read it: use 'locwatch publish'",
                .usage)
        }
    }

    /// Whether a target makes an entry at a path, as a confined program cannot.
    var makesEntries: Bool { targets.contains(where: \.makesEntry) }

    /// Begins to publish a record, for which the targets have a time.
    func begin(_ record: PublishRecord, within limit: Duration) {
        hasBegun = true
        do throws(PublishError) {
            let publisher = try LocationPublisher(targets, queue: .memory())
            publisher.publish(record)
            publisher.startFinishing(within: limit)
            self.publisher = publisher
        } catch {
            obstacle = StartFailure(error)
        }
        self.limit = limit
        end = DeliveryClock.now + limit
    }

    func prepare(_ wait: inout SessionWait) {
        guard let publisher else { return }
        wait.add(publisher.changesDescriptor, POLLIN)
        let left = max(.zero, end - DeliveryClock.now)
        wait.shorten(to: min(left, .milliseconds(500)) + .milliseconds(1))
    }

    /// Returns whether the targets have still to decide, and have the time for it; a signal ends that.
    func linger(_ ending: Ending) -> Bool {
        guard let publisher, !ending.isSignal else { return false }
        publisher.acknowledgeChanges()
        let left = end - DeliveryClock.now
        let isDecided = publisher.deliveries.allSatisfy { $0.isHeld || $0.done + $0.rejected > 0 }
        guard !publisher.hasEnded, !isDecided, left > .zero else {
            if left <= .zero { publisher.abandon() }
            return false
        }
        return true
    }

    /// The targets that have not taken the record, or why none could; `nil` if all have.
    var failure: StartFailure? {
        guard let publisher else { return obstacle }
        let messages = zip(targets, publisher.deliveries).compactMap { target, status -> String? in
            guard status.taken == 0 else { return nil }
            let isOmitted = status.omitted > 0
            let cause = isOmitted ? "it needs no message" : status.lastObstacle ?? "no answer within \(limit.spoken)"
            return "not published to \(target.word.description): \(cause)"
        }
        return messages.isEmpty ? nil : StartFailure(messages, .unavailable)
    }
}
