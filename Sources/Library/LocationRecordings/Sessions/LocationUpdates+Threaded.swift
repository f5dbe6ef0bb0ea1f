import Glibc
package import LocationCore
import LocwatchPlatform
import LocwatchSupport

extension LocationUpdates {
    /// Creates the updates of live sessions, served by the caller's own loop or, for a task, by a thread per session.
    ///
    /// A live source cannot wait for a slow task, so the thread reads on, and the oldest positions are dropped.
    ///
    /// - Parameters:
    ///   - clock: the clock of every session, or `nil` to start one for each session.
    ///   - capacity: the number of positions that wait for a slow task before the oldest is dropped.
    ///   - session: a closure that begins a session with its clock, on the thread that will use it.
    ///   - failure: a closure that returns the error for a session that gets no thread, from the cause.
    package init(
        for request: LocationRequest, clock: SessionClock?, capacity: Int = 256,
        polled session: @escaping @Sendable (SessionClock) -> any PolledSession,
        orThrow failure: @escaping @Sendable (String) -> LocationError
    ) {
        let start = PolledOpening(clock: { clock ?? .system() }) { start in
            let clock = start.clock()
            let mailbox = LocationMailbox(clock: clock, capacity: capacity)
            do throws(SystemFailure) {
                let wake = try Event()
                mailbox.onStop { wake.happen() }
                try NativeThread.start { start.session(clock).run(into: mailbox, until: wake) }
            } catch {
                mailbox.finish(throwing: failure("\(error)"))
            }
            return mailbox
        } _: {
            session($0)
        }
        self.init(for: request, starting: .polled(start))
    }
}

extension PolledSession {
    /// Serves the session until it is woken to stop, it ends, or an error ends it.
    fileprivate func run(into mailbox: LocationMailbox, until wake: Event) {
        defer { stop() }
        var updates = ReusedQueue<LocationUpdate>()
        func deliver() { while let update = updates.popFirst() { mailbox.put(update) } }
        do throws(LocationError) {
            var isReady = false
            while try step(isReady: isReady, into: &updates) {
                deliver()
                var watched = PollSet()
                watched.add(wake.descriptor, POLLIN)
                watched.add(descriptor, waitsForWriting ? POLLIN | POLLOUT : POLLIN)
                isReady = watched.wait(within: timeLeft(until: nil))
                if watched.isReady(wake.descriptor) { return }
            }
            deliver()
            mailbox.finish()
        } catch {
            deliver()
            mailbox.finish(throwing: error)
        }
    }
}
