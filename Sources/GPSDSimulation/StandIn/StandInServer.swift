import GPSDReports
import Glibc
import LocationCore
import LocwatchPlatform

/// The thread of a stand-in: accepts clients, answers them and plays the session, without ever waiting for one client.
final class StandInServer {
    /// A request to the thread.
    enum Request: Sendable {
        case stop
        case play(lines: Int)
        case send([UInt8])
        case relay([UInt8])
        case loseDevices
        case hangUp(reset: Bool)
        case faults([StandInFault])
    }

    typealias Mailbox = WorkerMailbox<Request, StandInGPSD.Progress>

    /// The number of bytes that may wait for the fastest client before the session continues at the pace `max`.
    private static let playAhead = 1 << 18
    /// The longest time for which lines are played before clients are served again.
    private static let turn = Duration.milliseconds(10)
    /// The time until the next attempt to accept a connection after the system had no descriptor for one.
    private static let acceptRetry = Duration.seconds(1)

    let port: UInt16
    let isLoopback: Bool
    private let session: StandInSession
    private let settings: StandInGPSD.Settings
    private let mailbox: Mailbox
    private let wall: @Sendable () -> Timestamp
    private var listening: ListeningSockets
    private var clients: [StandInClient] = []
    private var answers: StandInAnswers
    private var play: PlaybackCursor
    private var faults: StandInFaults
    private var sentences = StandInSentences()
    private var reader = LineReader()
    private var gatherer = SessionGatherer()
    /// The bytes that wait for all clients.
    private var waiting = MemoryPeak(least: 1 << 20)
    /// Whether NMEA sentences are made from the reports, because the recording has none or its times are shifted.
    private let makesSentences: Bool
    private var connectionCount = 0
    private var sentCount = 0
    private var cutOffCount = 0
    private var refusedCount = 0
    private var timedOutCount = 0
    /// The time before which no connection is accepted, because the system has no descriptor for it.
    private var acceptPause: Duration?

    init(
        session: StandInSession, settings: StandInGPSD.Settings, mailbox: Mailbox,
        now: @escaping @Sendable () -> Timestamp
    ) throws(SystemFailure) {
        self.session = session
        self.settings = settings
        self.mailbox = mailbox
        wall = now
        listening = try ListeningSockets(address: settings.address, port: settings.port)
        port = listening.port
        isLoopback = listening.isLoopback
        answers = StandInAnswers(session)
        play = PlaybackCursor(session, settings: settings)
        faults = StandInFaults(settings.faults)
        makesSentences = settings.redates || !session.lines.contains { $0.isNMEA }
        if !faults.refuses { try listening.listen() }
    }

    /// Runs until a request to stop.
    func serve() {
        while serveRequest() {
            playWhatIsDue()
            flush()
            note()
            watch()
        }
    }

    /// Processes the pending request, if any; returns false if the thread must end.
    private func serveRequest() -> Bool {
        guard let request = mailbox.nextRequest() else { return true }
        switch request {
        case .stop:
            for client in clients { client.close(reset: false) }
            clients = []
            listening.refuse()
            note()
            mailbox.complete(closing: true)
            return false
        case .play(let count):
            playByHand(count)
        case .send(let bytes):
            for index in clients.indices where clients[index].policy.isEnabled {
                clients[index].queue.append(.bytes(bytes))
            }
        case .relay(let bytes): relay(bytes)
        case .loseDevices:
            for (path, text) in answers.loseDevices() { send(device: path, text[...]) }
        case .hangUp(let reset):
            for client in clients { client.close(reset: reset) }
            clients = []
        case .faults(let list):
            faults = StandInFaults(list)
            // If no socket is available, clients continue to be refused.
            if faults.refuses { listening.refuse() } else { try? listening.listen() }
        }
        flush()
        note()
        mailbox.complete()
        return true
    }

    private func playByHand(_ count: Int) {
        var left = count
        while left > 0, let isSent = playNext() {
            if isSent { left -= 1 }
            // A looping session has no end, so stop at the end of the round.
            if count == .max, settings.loops, play.isAtStart { break }
        }
    }

    private func playWhatIsDue() {
        if clients.contains(where: \.policy.isEnabled) { play.begin(at: MonotonicTime.now, wall: wall()) }
        // Time-limited, so that a looping session with nothing to wait for leaves time for requests.
        let end = MonotonicTime.now + Self.turn
        while play.isRunning, MonotonicTime.now < end {
            if let due = play.due {
                guard due <= MonotonicTime.now else { break }
            } else {
                guard hasRoom else { break }
            }
            guard playNext() != nil else { break }
        }
    }

    /// Whether a watching client accepts more.
    private var hasRoom: Bool {
        clients.contains { client in
            guard client.policy.isEnabled, client.queue.byteCount < Self.playAhead else { return false }
            if case .paused = client.state { return false }
            return true
        }
    }

    /// Plays one line; returns whether it was sent to clients, or `nil` at the end of the session.
    private func playNext() -> Bool? {
        let now = wall()
        let isStart = play.isAtStart
        guard let (line, bytes) = play.next(at: MonotonicTime.now, wall: now) else { return nil }
        if isStart { answers.start(session, activated: play.activatedShift) }
        return send(line, bytes, heard: play.heard(line, wall: now))
    }

    /// Sends lines of a live session, which are whole.
    private func relay(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { reader.feed($0) { gatherer.process($0) } }
        if let version = gatherer.version { answers.version = Array(version) }
        for line in gatherer.takeLines() {
            let known = Set(answers.devices.entries.map(\.path))
            if line.kind == .report, line.device != nil || line.polled != nil, let object = answers.add(line.device) {
                send(device: line.device, object)
            }
            send(line, line.bytes, heard: wall())
            // A list is only an answer, so clients learn of new devices as when they are plugged in.
            for entry in answers.devices.entries where line.kind == .devices && !known.contains(entry.path) {
                send(device: entry.path, entry.text)
            }
        }
    }

    /// Sends the object of a device whose state has changed.
    private func send(device path: String?, _ object: ArraySlice<UInt8>) {
        let line = StandInSession.Line(bytes: object, kind: .device, device: path, moment: nil, polled: nil)
        for index in clients.indices where clients[index].policy.wants(line) {
            clients[index].queue.append(.bytes(Array(object) + Array("\r\n".utf8)))
        }
    }

    /// Sends a line of the session; returns whether it is one for clients.
    @discardableResult
    private func send(_ line: StandInSession.Line, _ bytes: ArraySlice<UInt8>, heard: Timestamp?) -> Bool {
        answers.learn(line, bytes, heard: heard)
        if makesSentences, line.polled != nil { sendSentences(of: line, bytes) }
        guard line.isSent, !(makesSentences && line.isNMEA) else { return false }
        sentCount += 1
        var steps: [WireStep]?
        for index in clients.indices where clients[index].policy.wants(line) {
            let steps =
                steps
                ?? {
                    let made = faults.steps(for: Array(bytes) + Array("\r\n".utf8), number: sentCount)
                    steps = made
                    return made
                }()
            for step in steps { clients[index].queue.append(step) }
        }
        return true
    }

    private func sendSentences(of line: StandInSession.Line, _ bytes: ArraySlice<UInt8>) {
        let takers = clients.indices.filter { clients[$0].policy.wantsSentences(of: line.device) }
        guard !takers.isEmpty else { return }
        let made = sentences.sentences(of: bytes, sky: answers.latest(.sky, of: line.device))
        for index in takers { clients[index].queue.append(.bytes(made)) }
    }

    private func flush() {
        let now = MonotonicTime.now
        for index in clients.indices {
            flush(index, at: now)
            if clients[index].queue.byteCount > settings.backlog {
                cutOffCount += 1
                clients[index].state = .ended
            } else if let end = idleEnd(of: clients[index]), end <= now {
                timedOutCount += 1
                clients[index].state = .ended
            }
        }
        clients.removeAll { client in
            guard client.state == .ended || client.state == .reset else { return false }
            client.close(reset: client.state == .reset)
            acceptPause = nil
            return true
        }
    }

    private func flush(_ index: Int, at now: Duration) {
        clients[index].state = clients[index].queue.flush(
            to: clients[index].socket, at: now, chunk: faults.chunk)
    }

    /// The time at which a client is disconnected unless it sends a valid command; `nil` while it watches.
    private func idleEnd(of client: StandInClient) -> Duration? {
        client.policy.isEnabled ? nil : client.lastCommand + settings.idleLimit
    }

    private func note() {
        waiting.note(clients.reduce(0) { $0 + $1.queue.byteCount })
        mailbox.update { progress in
            progress.connections = connectionCount
            progress.clients = clients.count
            progress.watchers = clients.count(where: \.policy.isEnabled)
            progress.linesPlayed = sentCount
            progress.rounds = play.rounds
            progress.cutOff = cutOffCount
            progress.refused = refusedCount
            progress.timedOut = timedOutCount
        }
    }

    /// Waits for the next event, then receives from clients and accepts new ones.
    private func watch() {
        var watched = [pollfd(fd: mailbox.requestArrived.descriptor, events: Int16(POLLIN), revents: 0)]
        if let pause = acceptPause, pause <= MonotonicTime.now { acceptPause = nil }
        // A listener with a waiting connection stays readable, so polling it while accepting fails would spin.
        let listeners = acceptPause == nil ? listening.descriptors : []
        watched += listeners.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var next = play.due
        if let pause = acceptPause { next = min(next ?? pause, pause) }
        for client in clients {
            var events = POLLIN
            if client.state == .full { events |= POLLOUT }
            if case .paused(let until?) = client.state { next = min(next ?? until, until) }
            if let end = idleEnd(of: client) { next = min(next ?? end, end) }
            watched.append(pollfd(fd: client.socket, events: Int16(events), revents: 0))
        }
        let limit = play.isRunning && play.due == nil && hasRoom ? .zero : next.map { $0 - MonotonicTime.now }
        guard poll(&watched, nfds_t(watched.count), limit?.wholeMilliseconds ?? -1) > 0 else { return }
        let heard = watched.dropFirst(1 + listeners.count)
        for (index, watched) in zip(clients.indices, heard).reversed() where watched.revents & ~Int16(POLLOUT) != 0 {
            listen(to: index)
        }
        for (listener, watched) in zip(listeners, watched.dropFirst()) where watched.revents != 0 { accept(listener) }
    }

    private func accept(_ listener: Int32) {
        let socket = Glibc.accept(listener, nil, nil)
        guard socket >= 0 else {
            if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { acceptPause = MonotonicTime.now + Self.acceptRetry }
            return
        }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        connectionCount += 1
        let now = MonotonicTime.now
        var client = StandInClient(number: connectionCount, socket: socket, at: now)
        if clients.count >= settings.clientLimit {
            refusedCount += 1
            client.queue.append(.bytes(StandInAnswers.error("Too many clients.")))
            _ = client.queue.flush(to: socket, at: now, chunk: nil)
            client.close(reset: false)
            return
        }
        if faults.closesAtOnce {
            client.close(reset: false)
            return
        }
        if let greeting = faults.greeting {
            client.isServed = false
            client.queue.append(.bytes(greeting))
        } else {
            client.queue.append(.bytes(answers.version + Array("\r\n".utf8)))
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
            let number = clients[index].number
            // The answer is queued before the request is published, so that lines played in response come after it.
            mailbox.update { $0.append(StandInGPSD.Request(client: number, text: request)) }
        }
        if clients[index].requests.isTooLong, clients[index].isServed {
            clients[index].isServed = false
            clients[index].policy.isEnabled = false
            clients[index].queue.append(.bytes(StandInAnswers.error("Command too long.")))
            clients[index].queue.append(.end)
        }
    }

    private func answer(_ request: String, to index: Int) {
        // The next `flush()` cuts the client off; more answers would only take memory until then.
        guard clients[index].queue.byteCount <= settings.backlog else { return }
        if settings.redates, !play.hasBegun {
            play.anticipate(at: wall())
            answers.start(session, activated: play.activatedShift)
        }
        let answer = answers.answer(request, &clients[index].policy, faults: faults, at: wall())
        let now = MonotonicTime.now
        if StandInAnswers.isAnswer(answer) { clients[index].lastCommand = now }
        clients[index].queue.append(.bytes(answer))
        // A single segment can hold commands whose answers exceed the limit of the queue.
        if clients[index].queue.byteCount > Self.playAhead { flush(index, at: now) }
    }
}

extension StandInSession.Line {
    /// Whether the line is a sentence of a receiver, and not one of AIS, which begins with `!`.
    fileprivate var isNMEA: Bool { kind == .sentence && bytes.first == UInt8(ascii: "$") }
}
