import Glibc
import LocationCore
import GPSDProtocol
import LocwatchPlatform

/// The thread of a stand-in: accepts clients, answers them and plays the session, without ever waiting for one client.
final class StandInServer {
    /// The requests of other threads, which the thread of the server performs.
    typealias Mailbox = WorkerMailbox<@Sendable (StandInServer) -> Void, StandInGPSD.Progress>

    /// The number of bytes that may wait for the fastest client before the session continues at the pace `max`.
    static let playAhead = 1 << 18
    /// The time until the next attempt to accept a connection after the system had no descriptor for one.
    private static let acceptRetry = Duration.seconds(1)
    /// The real time for which a step of the clock waits for a client that reads nothing.
    static let stallLimit = Duration.seconds(1)
    /// The number of bytes that may wait for the reader of the serial line, beyond the buffer of the system.
    static let terminalBacklog = 4096
    /// The interval at which a wait looks whether clients have read everything.
    private static let readInterval = Duration.milliseconds(5)

    let port: UInt16
    let isLoopback: Bool
    let session: StandInRecording
    let settings: StandInGPSD.Settings
    let mailbox: Mailbox
    /// The clock of the session.
    var time: StandInTime
    /// The longest time for which lines are played before clients are served again.
    var turn = Duration.milliseconds(10)
    private var listening: ListeningSockets
    var clients: [StandInClient] = []
    var answers: StandInAnswers
    var play: PlaybackCursor
    var state: StandInState
    var steps: ScheduledSteps
    /// The time at which the session and its script began, or `nil` before.
    private(set) var beginning: Duration?
    /// The last step of the script that was performed.
    var lastStep: StandInStep?
    let control: ControlPort?
    var waits: [StandInWait] = []
    /// Whether everything was played that was due at the last turn, and the steps of the clock are done.
    var hasCaughtUp = false
    /// The devices before the receiver was unplugged.
    var unplugged: StandInDevices?
    var sentences = StandInSentences()
    var reader = LineReader()
    var gatherer = SessionGatherer(isRelay: true)
    /// The bytes that wait for all clients.
    private var waiting = MemoryTrimmer(least: 1 << 20)
    /// Whether NMEA sentences are made from the reports, because the recording has none or its times are shifted.
    let makesSentences: Bool
    /// The counts of what has happened so far, which the mailbox publishes.
    var progress = StandInGPSD.Progress()
    /// The time before which no connection is accepted, because the system has no descriptor for it.
    private var acceptPause: Duration?
    /// The time of the next look at the paths, if there are any.
    private var pathsDue: Duration?
    /// The paths that cannot be made again, because something else is there.
    private var lostPaths: Set<String> = []
    /// Whether the thread must end.
    private(set) var isStopped = false
    private let say: @Sendable (String) -> Void

    /// - Parameter say: Called with messages for people, on the thread of the server.
    init(
        session: StandInRecording, settings: StandInGPSD.Settings, mailbox: Mailbox,
        now: @escaping @Sendable () -> Timestamp, say: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(SystemFailure) {
        self.say = say
        self.session = session
        self.settings = settings
        self.mailbox = mailbox
        time = StandInTime(settings.clock, wall: now)
        listening = try ListeningSockets(address: settings.address, port: settings.port)
        port = listening.port
        isLoopback = listening.isLoopback
        answers = StandInAnswers(session)
        play = PlaybackCursor(session, settings: settings)
        state = StandInState(settings.faults)
        steps = ScheduledSteps(settings.script.steps)
        control = try settings.control.map { path throws(SystemFailure) in try ControlPort(path: path) }
        makesSentences = settings.redates || !session.lines.contains { $0.isNMEA }
        if let path = settings.terminal {
            let terminal = try LinkedTerminal(path: path)
            try terminal.open(PseudoTerminal())
            clients.append(StandInClient(terminal, at: MonotonicTime.now))
        }
        if settings.control != nil || settings.terminal != nil { pathsDue = MonotonicTime.now + settings.pathInterval }
        if time.isManual { begin() }
        performSteps(until: .zero)
        if !state.holds(.refusing) { try listening.listen() }
    }

    /// Runs until a request to stop.
    func serve() {
        while serveRequest() {
            playWhatIsDue()
            flush()
            note()
            performCommands()
            checkPaths()
            watch()
        }
    }

    /// Makes the control socket and the link to the serial line again if they were removed.
    private func checkPaths() {
        guard let due = pathsDue, due <= MonotonicTime.now else { return }
        pathsDue = MonotonicTime.now + settings.pathInterval
        if let control {
            check(control.path, control.isInPlace) { () throws(SystemFailure) in try control.restore() }
        }
        for case let terminal? in clients.map(\.terminal) where terminal.isOpen {
            check(terminal.path, terminal.isInPlace) { () throws(SystemFailure) in try terminal.restore() }
        }
    }

    private func check(_ path: String, _ isInPlace: Bool, restore: () throws(SystemFailure) -> Void) {
        if isInPlace { return }
        do throws(SystemFailure) {
            try restore()
            lostPaths.remove(path)
            say("\(path) was removed, and was made again")
        } catch {
            if lostPaths.insert(path).inserted { say("\(path) was replaced: \(error)") }
        }
    }

    func begin() {
        guard beginning == nil else { return }
        beginning = time.now
        play.begin(at: time.now, wall: time.wall)
    }

    /// The time since the script began.
    var elapsed: Duration { beginning.map { time.now - $0 } ?? .zero }
    func moment(_ elapsed: Duration?) -> Duration? { beginning.flatMap { start in elapsed.map { start + $0 } } }

    /// Performs the pending request, if any; returns false if the thread must end.
    private func serveRequest() -> Bool {
        guard let request = mailbox.nextRequest() else { return true }
        request(self)
        flush()
        note()
        mailbox.complete(closing: isStopped)
        return !isStopped
    }

    /// Closes all connections, releases the port, and ends the thread.
    func stop() {
        isStopped = true
        for client in clients {
            client.close(reset: false)
            client.terminal?.remove()
        }
        clients = []
        listening.refuse()
        endWaits()
    }

    /// Sends bytes to the clients that watch.
    func send(_ bytes: [UInt8]) { queue([.bytes(bytes)], for: \.isEnabled) }

    /// Closes all connections at once.
    func hangUp(reset: Bool) {
        for client in clients where client.terminal == nil { client.close(reset: reset) }
        clients.removeAll { $0.terminal == nil }
    }

    /// Replaces the faults that the stand-in was created with.
    func setFaults(_ faults: [StandInFault]) {
        state.replace(faults)
        listen()
    }

    /// Accepts connections, or refuses them; if no socket is available they continue to be refused.
    func listen() { if state.holds(.refusing) { listening.refuse() } else { try? listening.listen() } }

    func flush() {
        let now = MonotonicTime.now
        // During a silence everything waits.
        let isSilent = state.holds(.silent)
        for index in clients.indices {
            if isSilent { clients[index].state = .paused(until: nil) } else { flush(index) }
            if clients[index].terminal != nil {
                flushTerminal(index)
            } else if clients[index].queue.byteCount > settings.backlog {
                progress.cutOff += 1
                clients[index].state = .ended
            } else if let end = idleEnd(of: clients[index]), end <= now {
                progress.timedOut += 1
                clients[index].state = .ended
            }
        }
        clients.removeAll { client in
            guard client.state == .ended || client.state == .reset, client.terminal == nil else { return false }
            client.close(reset: client.state == .reset)
            acceptPause = nil
            return true
        }
    }

    /// Cuts off the clients for which most bytes wait, as long as more wait for all of them than may.
    private func cutOffLargestQueues() {
        func waiting(_ index: Int) -> Int { clients[index].terminal == nil ? clients[index].queue.byteCount : 0 }
        var total = clients.indices.reduce(0) { $0 + waiting($1) }
        while total > settings.totalBacklog, let largest = clients.indices.max(by: { waiting($0) < waiting($1) }) {
            total -= waiting(largest)
            progress.cutOff += 1
            clients[largest].queue = WireQueue()
            clients[largest].queue.append(.end)
        }
    }

    /// Sends what waits for a client once it is much.
    func flushIfLarge(_ index: Int) {
        if clients[index].queue.byteCount > Self.playAhead, !state.holds(.silent) { flush(index) }
    }

    private func flush(_ index: Int) {
        let waiting = clients[index].queue.byteCount
        if clients[index].isStalled, clients[index].hasWritten, clients[index].terminal?.unreadCount == 0 {
            clients[index].isStalled = false
        }
        clients[index].state = clients[index].queue.flush(
            to: clients[index].socket, isTerminal: clients[index].terminal != nil, at: time.now,
            chunk: state.chunk)
        if clients[index].queue.byteCount < waiting { clients[index].hasWritten = true }
        if clients[index].state != .full || clients[index].queue.byteCount < waiting {
            clients[index].lastSent = MonotonicTime.now
        }
    }

    /// Drops what the reader of the serial line has not read, as a real port does, and opens the line after a hang-up.
    private func flushTerminal(_ index: Int) {
        // A slow, delayed or closed line keeps no more than a client may have waiting.
        if clients[index].queue.byteCount > settings.backlog { clients[index].queue = WireQueue() }
        switch clients[index].state {
        case .ended, .reset:
            // A closed line has no reader.
            if clients[index].socket >= 0, unplugged == nil { reopenTerminal(index) }
        case .full where clients[index].queue.byteCount > Self.terminalBacklog && isReady(clients[index]):
            clients[index].terminal?.discardUnread()
            clients[index].queue = WireQueue()
            clients[index].isStalled = true
            clients[index].hasWritten = false
        default: break
        }
    }

    /// The time at which a client is disconnected unless it sends a valid command; `nil` while it watches.
    private func idleEnd(of client: StandInClient) -> Duration? {
        client.policy.isEnabled || client.terminal != nil ? nil : client.lastCommand + settings.idleLimit
    }

    private func note() {
        waiting.note(clients.reduce(0) { $0 + $1.queue.byteCount })
        progress.clients = clients.count { $0.terminal == nil }
        progress.watchers = watcherCount
        progress.time = elapsed
        progress.step = lastStep?.description
        progress.rounds = play.rounds
        mailbox.update { $0 = progress }
    }

    /// The number of clients that watch.
    var watcherCount: Int { clients.count { $0.policy.isEnabled && $0.terminal == nil } }

    /// The real time until the next event, or `nil` if only a descriptor can bring one.
    private var patience: Duration? {
        if !time.isManual, play.isRunning, play.due == nil, hasRoom { return .zero }
        if time.isManual, !hasCaughtUp, clients.allSatisfy(isReady) { return .zero }
        var times = waits.compactMap { $0.awaited == nil ? nil : $0.deadline }
        if waits.contains(where: { $0.awaited == .read }) { times.append(MonotonicTime.now + Self.readInterval) }
        times += [acceptPause, pathsDue].compactMap { $0 }
        times += clients.compactMap(idleEnd)
        if time.isManual {
            if !hasCaughtUp { times += clients.map { $0.lastSent + Self.stallLimit } }
        } else if let event = nextEvent {
            times.append(event)
        }
        return times.min().map { $0 - MonotonicTime.now }
    }

    /// Waits for the next event, then receives from clients and accepts new ones.
    private func watch() {
        var watched = PollSet()
        watched.add(mailbox.requestArrived.descriptor, POLLIN)
        if let pause = acceptPause, pause <= MonotonicTime.now { acceptPause = nil }
        let listeners = acceptPause == nil ? listening.descriptors : []
        for listener in listeners { watched.add(listener, POLLIN) }
        for client in clients { watched.add(client.socket, client.state == .full ? POLLIN | POLLOUT : POLLIN) }
        let controlled = control?.watched(accepts: acceptPause == nil) ?? []
        for (descriptor, events) in controlled { watched.add(descriptor, events) }
        guard watched.wait(within: patience) else { return }
        if controlled.contains(where: { watched.isReady($0.descriptor) }) {
            control?.receive { pauseAccepting(after: $0) }
        }
        for index in clients.indices.reversed() where watched.isReady(clients[index].socket, ~POLLOUT) {
            listen(to: index)
        }
        for listener in listeners where watched.isReady(listener) { accept(listener) }
    }

    /// Accepts nothing for a while if no descriptor is left.
    private func pauseAccepting(after failure: Int32) {
        if SystemFailure.isShortage(failure) { acceptPause = MonotonicTime.now + Self.acceptRetry }
    }

    private func accept(_ listener: Int32) {
        let socket = Glibc.accept(listener, nil, nil)
        guard socket >= 0 else {
            pauseAccepting(after: errno)
            return
        }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        progress.connections += 1
        let now = MonotonicTime.now
        var client = StandInClient(number: progress.connections, socket: socket, at: now)
        if clients.count(where: { $0.terminal == nil }) >= settings.clientLimit {
            progress.refused += 1
            client.queue.append(.bytes(StandInAnswers.error("Too many clients.")))
            _ = client.queue.flush(to: socket, at: now, chunk: nil)
            client.close(reset: false)
            return
        }
        if state.holds(.closesAtOnce) {
            client.close(reset: false)
            return
        }
        if let greeting = state.greeting {
            client.isServed = false
            client.queue.append(.bytes(greeting))
        } else {
            client.queue.append(.bytes(answers.version(release: state.release) + Array("\r\n".utf8)))
        }
        clients.append(client)
    }

    private func listen(to index: Int) {
        guard let bytes = clients[index].receive() else {
            clients[index].close(reset: false)
            clients.remove(at: index)
            acceptPause = nil
            return
        }
        for request in clients[index].requests.feed(bytes) {
            if clients[index].isServed { answer(request, to: index) }
            // The answer is queued before the request is published, so that lines played in response come after it.
            progress.append(StandInGPSD.Request(client: clients[index].number, text: request))
            mailbox.update { $0 = progress }
        }
        if clients[index].requests.isTooLong, clients[index].isServed {
            clients[index].isServed = false
            clients[index].policy.isEnabled = false
            clients[index].queue.append(.bytes(StandInAnswers.error("Command too long.")))
            clients[index].queue.append(.end)
        }
        cutOffLargestQueues()
    }

    private func answer(_ request: String, to index: Int) {
        // The next `flush()` cuts the client off; more answers would only take memory until then.
        guard clients[index].queue.byteCount <= settings.backlog else { return }
        if settings.redates, !play.hasBegun {
            play.anticipate(at: time.wall)
            if unplugged == nil { answers.start(session, activated: play.activatedShift) }
        }
        let answer = answers.answer(
            request, &clients[index].policy, state, at: time.wall)
        let now = MonotonicTime.now
        if StandInAnswers.isAnswer(answer) { clients[index].lastCommand = now }
        clients[index].queue.append(.bytes(answer))
        // A single segment can hold commands whose answers exceed the limit of the queue.
        flushIfLarge(index)
    }
}
