import Glibc
import LocationCore
import LocwatchPlatform

/// What a simulated receiver's thread does: waits for what is due, writes, and drops what the daemon writes.
final class ReceiverThread {
    private let line: ReceiverLine
    private var terminal: PseudoTerminal?
    private var schedule: TransmissionSchedule<ScenarioEncoder.Iterator>
    /// Whether somebody pulled the plug, whatever the scenario says.
    private var isPulled = false
    /// Whether the scenario has it plugged in.
    private var isThere = true
    private var stalledSince: Duration?

    init(line: ReceiverLine, terminal: consuming PseudoTerminal) {
        self.line = line
        self.terminal = consume terminal
        // As many bytes as pass in four milliseconds: a few hundred wake-ups a second at the most.
        let chunk = Int(clamping: Double(line.settings.lineSpeed) / 10 * line.settings.speedup * 0.004)
        schedule = TransmissionSchedule(
            line.encoder.makeIterator(), lineSpeed: line.settings.lineSpeed, chunk: chunk,
            keepsAll: line.settings.keepsAll)
    }

    /// Runs until it is asked to stop.
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
            line.mailbox.update { [schedule] in
                $0.epochsSent = schedule.epochsSent
                $0.epochsSkipped = schedule.epochsSkipped
            }
        }
    }

    /// The scenario's time.
    private var now: Duration { (MonotonicTime.now - line.start) * line.settings.speedup }

    /// False when the thread is to end.
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

    /// Brings the device to where it should be: there, or gone.
    private func connect() {
        let isWanted = isThere && !isPulled
        if !isWanted, terminal != nil {
            line.vanish()
            terminal = nil
        } else if isWanted, terminal == nil {
            // Without a terminal to be had (all are in use) the receiver stays away, as the progress tells.
            do throws(SystemFailure) { terminal = try line.newTerminal() } catch {}
        }
    }

    private func send(_ bytes: ArraySlice<UInt8>) {
        guard let master = terminal?.master else {
            schedule.wrote(bytes.count, at: now)
            return
        }
        let count = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
        if count > 0 {
            stalledSince = nil
            schedule.wrote(count, at: now)
            line.mailbox.update { $0.bytesSent += count }
        } else {
            waitForReader()
        }
    }

    // A line does not wait: what nobody has read for a while is lost, as in a real port's small buffer, so that the next
    // reader does not get old positions.
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

    private func drain() {
        guard let master = terminal?.master else { return }
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            let count = read(master, buffer.baseAddress, buffer.count)
            if count > 0 { line.mailbox.update { $0.bytesReceived += count } }
        }
    }
}
