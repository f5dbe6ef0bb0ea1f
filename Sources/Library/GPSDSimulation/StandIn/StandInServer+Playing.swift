import LocationCore
import GPSDProtocol
import LocwatchPlatform

/// The session and the script as they are played, and the lines that the faults make of it.
extension StandInServer {
    func playByHand(_ count: Int) {
        // A generated session has no end.
        if count == .max, session.simulation != nil { return }
        var left = count
        while left > 0, let isSent = playNext() {
            if isSent { left -= 1 }
            // To prepare a long session takes seconds, in which its clients would hear nothing.
            clients.indices.forEach(flushIfLarge)
            // A looping session has no end, so stop at the end of the round.
            if count == .max, settings.loops, play.isAtStart { break }
        }
    }

    func loseDevices() { for (path, text) in answers.loseDevices() { send(device: path, text[...]) } }

    /// Performs the steps of the script whose time has come.
    func performSteps(until elapsed: Duration) {
        while let step = steps.next(at: elapsed) {
            lastStep = step
            apply(step)
        }
    }

    func playWhatIsDue() {
        if clients.contains(where: \.policy.isEnabled) { begin() }
        // Time-limited, so that a looping session with nothing to wait for leaves time for requests.
        let end = MonotonicTime.now + turn
        hasCaughtUp = false
        repeat {
            if performWhatIsDue() || playLineIfDue() { continue }
            guard time.isBehind, clients.allSatisfy(isReady) else {
                hasCaughtUp = !time.isBehind
                return
            }
            flush()
            time.advance(to: nextEvent)
            // A turn that ended here would send bytes at the new time before the steps of that time, on slow machines only.
            while performWhatIsDue() {}
        } while MonotonicTime.now < end
    }

    /// Ends the conditions and performs the steps whose time has come; returns whether there was one.
    private func performWhatIsDue() -> Bool {
        if let end = state.nextEnd, end <= time.now {
            state.expire(at: time.now)
            adapt()
            return true
        }
        guard let beginning, let due = steps.due, beginning + due <= time.now else { return false }
        performSteps(until: due)
        return true
    }

    /// Plays the next line if it is due; returns whether it was.
    private func playLineIfDue() -> Bool {
        // With a manual clock the first reports come with the first step.
        guard play.isRunning, !time.isManual || time.goal > .zero else { return false }
        if let due = play.due {
            guard due <= time.now, !time.isManual || clients.allSatisfy(isReady) else { return false }
        } else {
            guard hasRoom else { return false }
        }
        return playNext() != nil
    }

    /// The time of the next event by the clock of the session.
    var nextEvent: Duration? {
        var times = [play.due, moment(steps.due), state.nextEnd]
        for client in clients { if case .paused(let until?) = client.state { times.append(until) } }
        return times.compactMap { $0 }.min()
    }

    /// Whether a client lets a step of the clock go on: it reads, or has not read for so long that it is not waited for.
    func isReady(_ client: StandInClient) -> Bool {
        guard client.queue.byteCount >= (client.terminal == nil ? Self.playAhead : Self.terminalBacklog),
            client.state == .full, !client.isStalled
        else { return true }
        return MonotonicTime.now - client.lastSent >= Self.stallLimit
    }

    /// Opens and closes what depends on the conditions that hold.
    func adapt() {
        listen()
        let isUnplugged = state.holds(.unplugged)
        if isUnplugged, unplugged == nil {
            let devices = answers.devices
            loseDevices()
            unplugged = devices
            for index in clients.indices { clients[index].closeTerminal() }
        } else if !isUnplugged, let devices = unplugged {
            unplugged = nil
            answers.devices = devices
            for entry in devices.entries { send(device: entry.path, entry.text) }
            for index in clients.indices { reopenTerminal(index) }
        }
    }

    /// Opens the serial line again, whose reader has seen a hang-up.
    func reopenTerminal(_ index: Int) {
        guard let terminal = clients[index].terminal else { return }
        terminal.close()
        // If all terminals of the system are in use the line stays closed.
        try? terminal.open(PseudoTerminal())
        clients[index] = StandInClient(terminal, at: MonotonicTime.now)
    }

    /// Whether a watching client accepts more.
    var hasRoom: Bool {
        clients.contains { client in
            guard client.policy.isEnabled, client.queue.byteCount < Self.playAhead else { return false }
            if case .paused = client.state { return false }
            return true
        }
    }

    /// Plays one line; returns whether it was sent to clients, or `nil` at the end of the session.
    private func playNext() -> Bool? {
        let now = time.wall
        let isStart = play.isAtStart
        guard let (line, bytes) = play.next(at: time.now, wall: now) else { return nil }
        if isStart, unplugged == nil { answers.start(session, activated: play.activatedShift) }
        return send(line, bytes, heard: play.heard(line, wall: now))
    }

    /// Sends lines of a live session, which are whole.
    func relay(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var place = 0
            while let line = reader.next(in: bytes, from: &place) { gatherer.process(line) }
        }
        if let version = gatherer.session.version { answers.version = Array(version) }
        for line in gatherer.takeLines() {
            if unplugged != nil { continue }
            // A list is only an answer, so clients learn of new devices as when they are plugged in.
            let known = line.kind == .devices ? answers.devices : nil
            if line.kind == .report, line.device != nil || line.polled != nil,
                let object = answers.devices.add(line.device)
            {
                send(device: line.device, object)
            }
            send(line, line.bytes, heard: time.wall)
            guard let known else { continue }
            for entry in answers.devices.entries where !known.contains(entry.path) {
                send(device: entry.path, entry.text)
            }
        }
    }

    /// Sends the object of a device whose state has changed.
    func send(device path: String?, _ object: ArraySlice<UInt8>) {
        let line = StandInRecording.Line(bytes: object, kind: .device, device: path, moment: nil, polled: nil)
        queue([.bytes(Self.ended(object))]) { $0.wants(line) }
    }

    /// Queues actions for the clients that want them; the actions are made only if there is one.
    func queue(_ steps: @autoclosure () -> [WireStep], for isWanted: (WatchPolicy) -> Bool) {
        lazy var steps = steps()
        for index in clients.indices where isWanted(clients[index].policy) {
            for step in steps { clients[index].queue.append(step) }
        }
    }

    private static func ended(_ line: ArraySlice<UInt8>) -> [UInt8] { line + Array("\r\n".utf8) }

    /// Sends a line of the session, or what the faults make of it; returns whether it is one for clients.
    @discardableResult
    private func send(_ line: StandInRecording.Line, _ bytes: ArraySlice<UInt8>, heard: Timestamp?) -> Bool {
        guard unplugged == nil else { return line.isSent }
        var isSent = false
        for bytes in state.editor.edited(line, bytes) { if sendPart(line, bytes, heard: heard) { isSent = true } }
        return isSent
    }

    private func sendPart(_ line: StandInRecording.Line, _ bytes: ArraySlice<UInt8>, heard: Timestamp?) -> Bool {
        answers.learn(line, bytes, heard: heard)
        let makesSentences = makesSentences || state.editor.isActive
        guard line.isSent, !(makesSentences && line.isNMEA) else { return false }
        progress.linesPlayed += 1
        // Lines during a silence are lost.
        guard !state.holds(.silent) else { return true }
        let armed = state.isArmed && isTaken(line, makesSentences) ? state.takeArmed() : []
        if makesSentences, line.hasSentences {
            queue(sentenceSteps(of: line, bytes, armed)) { $0.wantsSentences(of: line.device) }
        }
        queue(state.steps(for: Self.ended(bytes), number: progress.linesPlayed, armed: armed, at: time.now)) {
            $0.wants(line)
        }
        return true
    }

    /// Returns whether a client gets a line; a fault of the next line waits for one that does.
    private func isTaken(_ line: StandInRecording.Line, _ makesSentences: Bool) -> Bool {
        clients.contains {
            $0.policy.wants(line) || makesSentences && line.hasSentences && $0.policy.wantsSentences(of: line.device)
        }
    }

    /// Returns the actions that send a report as sentences.
    private func sentenceSteps(
        of line: StandInRecording.Line, _ bytes: ArraySlice<UInt8>, _ armed: [StandInFault]
    ) -> [WireStep] {
        let made = sentences.sentences(of: bytes, sky: answers.latest(.sky, of: line.device))
        return state.steps(for: made, number: nil, armed: armed, at: time.now)
    }
}
