import Glibc
import LocationCore
import LocwatchPlatform

/// The work of a simulated receiver's thread: writes the bytes that are due, and drops those that the daemon writes.
final class ReceiverThread {
    private let line: ReceiverLine
    private var terminal: PseudoTerminal?
    private var schedule: TransmissionSchedule
    /// Whether a request has unplugged the receiver, regardless of the scenario.
    private var isPulled = false
    /// Whether the receiver is plugged in according to the scenario.
    private var isThere = true
    private var stalledSince: Duration?

    init(line: ReceiverLine, terminal: consuming PseudoTerminal) {
        self.line = line
        self.terminal = consume terminal
        // The bytes of four milliseconds, so that the thread wakes up a few hundred times a second at most.
        let chunk = Int(clamping: Double(line.settings.lineSpeed) / 10 * line.settings.speedup * 0.004)
        schedule = TransmissionSchedule(
            line.encoder, lineSpeed: line.settings.lineSpeed, chunk: chunk,
            keepsAll: line.settings.keepsAll)
    }

    /// Runs until a request to stop.
    func play() {
        while serveRequest() {
            switch schedule.step(at: now) {
            case .write(let bytes): send(bytes)
            case .wait(let moment): sleep(until: moment)
            case .unplug:
                isThere = false
                connect()
            case .plugIn:
                isThere = true
                connect()
            case .finished:
                line.mailbox.update { $0.isFinished = true }
                sleep(until: nil)
            }
            line.mailbox.update { [schedule] in $0.epochsSkipped = schedule.epochsSkipped }
        }
    }

    /// The current time of the scenario.
    private var now: Duration { (MonotonicTime.now - line.start) * line.settings.speedup }

    /// Processes the pending request, if any; returns false if the thread must end.
    private func serveRequest() -> Bool {
        guard let request = line.mailbox.nextRequest() else { return true }
        switch request {
        case .unplug:
            isPulled = true
            connect()
        case .plugIn:
            isPulled = false
            connect()
        case .stop:
            terminal = nil
            line.close()
            line.mailbox.complete(closing: true)
            return false
        }
        line.mailbox.complete()
        return true
    }

    /// Creates or removes the device, as the scenario and the requests demand.
    private func connect() {
        let isWanted = isThere && !isPulled
        if !isWanted, terminal != nil {
            line.vanish()
            terminal = nil
        } else if isWanted, terminal == nil {
            // If all terminals of the system are in use the receiver stays unplugged, which the progress shows.
            do throws(SystemFailure) { terminal = try line.newTerminal() } catch {}
        }
    }

    private func send(_ bytes: ArraySlice<UInt8>) {
        if terminal != nil, drain() == .epochSkipped { return }
        guard let master = terminal?.master else {
            schedule.wrote(bytes.count, at: now)
            return
        }
        let count = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
        if count > 0 {
            stalledSince = nil
            schedule.wrote(count, at: now)
            // Bytes that were written after the reader had discarded its input are a part of an epoch.
            if drain() != .nothing { terminal?.discardUnread() }
        } else {
            waitForReader()
        }
    }

    // Bytes that are not read for a while are dropped, as in a real port's small buffer, so that the next reader does
    // not get old positions.
    private func waitForReader() {
        let since = stalledSince ?? MonotonicTime.now
        stalledSince = since
        if !line.settings.keepsAll, MonotonicTime.now - since > .seconds(2) {
            terminal?.discardUnread()
            stalledSince = nil
        }
        watch(events: POLLIN | POLLOUT, limit: .milliseconds(500))
    }

    private func sleep(until moment: Duration?) {
        watch(events: POLLIN, limit: moment.map { ($0 - now) / line.settings.speedup })
    }

    private func watch(events: Int32, limit: Duration?) {
        var watched = [
            pollfd(fd: line.mailbox.requestArrived.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: terminal?.master ?? -1, events: Int16(events), revents: 0),
        ]
        let ready = poll(&watched, 2, limit?.wholeMilliseconds ?? -1)
        if ready > 0, watched[1].revents & Int16(POLLIN) != 0 { drain() }
    }

    /// The part of the current epoch that the reader has discarded.
    private enum Discarded { case nothing, input, epochSkipped }

    /// Drops what the reader has written; leaves out the rest of the current epoch if the reader has discarded its beginning.
    ///
    /// gpsd discards its input when it opens a device, and would report a position without the values of the first sentences.
    @discardableResult private func drain() -> Discarded {
        guard let (count, hasDiscarded) = terminal?.dropInput() else { return .nothing }
        if count > 0 { line.mailbox.update { $0.bytesReceived += count } }
        guard hasDiscarded, !line.settings.keepsAll else { return .nothing }
        return schedule.skipRest() ? .epochSkipped : .input
    }
}
