import Glibc
package import LocationCore
package import LocwatchArguments
package import LocwatchPlatform
import LocwatchSupport
import LocwatchTerminal

/// The messages of other threads, which the narrator says on that of the session.
package final class ThreadMessages: SessionConsumer {
    private final class Box: Sendable {
        let messages = Lock<[String]>([])
        let arrival: Event

        init() throws(SystemFailure) { arrival = try Event() }
    }

    private let box: Box
    private let narrator: Narrator

    package init(_ narrator: Narrator) throws(SystemFailure) {
        box = try Box()
        self.narrator = narrator
    }

    /// A function that any thread can call with a message.
    package var say: @Sendable (String) -> Void {
        { [box] message in
            box.messages.withLock { $0.append(message) }
            box.arrival.happen()
        }
    }

    package func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? { nil }

    package func serve(_ ready: PollSet) -> SessionEnd.Reason? {
        guard ready.isReady(box.arrival.descriptor) else { return nil }
        box.arrival.clear()
        for message in box.messages.withLock({ messages in
            defer { messages = [] }
            return messages
        }) { narrator.say(message) }
        return nil
    }

    package func prepare(_ wait: inout SessionWait) { wait.add(box.arrival.descriptor, POLLIN) }
}
