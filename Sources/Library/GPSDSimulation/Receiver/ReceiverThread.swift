import Glibc
import LocationCore
import LocwatchPlatform

/// The work of a simulated receiver's thread: writes the bytes that are due, and takes those that the daemon writes.
final class ReceiverThread {
    enum Request: Sendable { case stop, unplug, plugIn }

    typealias Mailbox = WorkerMailbox<Request, SimulatedReceiver.Progress>

    private let line: LinkedTerminal
    private let settings: SimulatedReceiver.Settings
    /// The start of the scenario by the monotonic clock.
    private let start: Duration
    private let mailbox: Mailbox
    private var schedule: TransmissionSchedule
    /// Whether a request has unplugged the receiver, regardless of the scenario.
    private var isPulled = false
    /// Whether the receiver is plugged in according to the scenario.
    private var isThere = true
    private var stalledSince: Duration?
    /// The input for the commands of the reader, if the receiver takes any.
    private var port: CommandPort?

    /// Plugs the receiver in; the device exists when this returns.
    init(
        line: LinkedTerminal, encoder: ScenarioEncoder, settings: SimulatedReceiver.Settings, start: Duration,
        mailbox: Mailbox
    ) throws(SystemFailure) {
        self.line = line
        self.settings = settings
        self.start = start
        self.mailbox = mailbox
        port = encoder.scenario.commands.map { CommandPort($0, rate: encoder.scenario.rate) }
        // The bytes of four milliseconds, so that the thread wakes up a few hundred times a second at most.
        let chunk = Int(clamping: Double(settings.lineSpeed) / 10 * settings.speedup * 0.004)
        schedule = TransmissionSchedule(
            encoder, lineSpeed: settings.lineSpeed, chunk: chunk, keepsAll: settings.keepsAll)
        try plugIn()
    }

    /// Runs until a request to stop.
    func play() {
        while serveRequest() {
            obeyCommands()
            switch schedule.step(at: now) {
            case .write where port?.isSilenced == true: sleep(until: nil)
            case .write(let bytes): send(bytes)
            case .wait(let moment): sleep(until: moment)
            case .unplug:
                isThere = false
                connect()
            case .plugIn:
                isThere = true
                connect()
            case .finished:
                mailbox.update { $0.isFinished = true }
                sleep(until: nil)
            }
            mailbox.update { [schedule] in $0.epochsSkipped = schedule.epochsSkipped }
        }
    }

    /// Obeys the commands that have arrived, and answers between two epochs.
    private func obeyCommands() {
        if let interval = port?.takeInterval() { schedule.change(interval: interval) }
        guard schedule.isBetweenEpochs, line.isOpen, let answer = port?.takeAnswer(), !answer.isEmpty else { return }
        _ = answer.withUnsafeBytes { write(line.master, $0.baseAddress, $0.count) }
    }

    /// The current time of the scenario.
    private var now: Duration { (MonotonicTime.now - start) * settings.speedup }

    /// Processes the pending request, if any; returns false if the thread must end.
    private func serveRequest() -> Bool {
        guard let request = mailbox.nextRequest() else { return true }
        switch request {
        case .unplug:
            isPulled = true
            connect()
        case .plugIn:
            isPulled = false
            connect()
        case .stop:
            line.remove()
            mailbox.update { $0.isPlugged = false }
            mailbox.complete(closing: true)
            return false
        }
        mailbox.complete()
        return true
    }

    /// Creates or removes the device, as the scenario and the requests demand.
    private func connect() {
        let isWanted = isThere && !isPulled
        if !isWanted, line.isOpen {
            line.close()
            mailbox.update { $0.isPlugged = false }
        } else if isWanted, !line.isOpen {
            // If all terminals of the system are in use the receiver stays unplugged, which the progress shows.
            try? plugIn()
        }
    }

    /// Creates a terminal and points the path to it.
    private func plugIn() throws(SystemFailure) {
        let new = try PseudoTerminal(speed: settings.lineSpeed, anyone: settings.anyone)
        new.reportDiscards()
        try line.open(new)
        mailbox.update { $0.isPlugged = true }
    }

    private func send(_ bytes: ArraySlice<UInt8>) {
        if drain() == .epochSkipped { return }
        guard line.isOpen else {
            schedule.wrote(bytes.count, at: now)
            return
        }
        let count = bytes.withUnsafeBytes { write(line.master, $0.baseAddress, $0.count) }
        if count > 0 {
            stalledSince = nil
            schedule.wrote(count, at: now)
            // Bytes that were written after the reader had discarded its input are a part of an epoch.
            if drain() != .nothing { line.discardUnread() }
        } else {
            waitForReader()
        }
    }

    // Bytes that are not read for a while are dropped, as in a real port's small buffer, so that the next reader does
    // not get old positions.
    private func waitForReader() {
        let since = stalledSince ?? MonotonicTime.now
        stalledSince = since
        if !settings.keepsAll, MonotonicTime.now - since > .seconds(2) {
            line.discardUnread()
            stalledSince = nil
        }
        watch(events: POLLIN | POLLOUT, limit: .milliseconds(500))
    }

    private func sleep(until moment: Duration?) {
        watch(events: POLLIN, limit: moment.map { ($0 - now) / settings.speedup })
    }

    private func watch(events: Int32, limit: Duration?) {
        var watched = PollSet()
        watched.add(mailbox.requestArrived.descriptor, POLLIN)
        watched.add(line.master, events)
        watched.wait(within: limit)
        if watched.isReady(line.master, POLLIN) { drain() }
    }

    /// The part of the current epoch that the reader has discarded.
    private enum Discarded { case nothing, input, epochSkipped }

    /// Drops what the reader has written; leaves out the rest of the current epoch if the reader has discarded its beginning.
    ///
    /// gpsd discards its input when it opens a device, and would report a position without the values of the first sentences.
    @discardableResult private func drain() -> Discarded {
        guard let (count, hasDiscarded) = line.takeInput({ port?.read($0) }) else { return .nothing }
        if count > 0 { mailbox.update { $0.bytesReceived += count } }
        guard hasDiscarded, !settings.keepsAll else { return .nothing }
        return schedule.skipRest() ? .epochSkipped : .input
    }
}
