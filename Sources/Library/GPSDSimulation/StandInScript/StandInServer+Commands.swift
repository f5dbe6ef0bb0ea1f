import LocationCore
import LocwatchPlatform

/// The commands of the control port and of `StandInGPSD.perform(_:)`, which have one parser and the same answers.
extension StandInServer {
    /// Performs the commands that have arrived at the control port, and answers those that are done.
    func performCommands() {
        control?.flush()
        repeat {
            while let (client, command) = control?.nextCommand() { perform(command, .client(client)) }
            // A client whose wait has ended can have sent its next command already.
        } while endWaits()
        control?.flush()
    }

    /// Performs a command of a test, and answers it now or when it is done.
    func perform(_ command: String, _ target: StandInWait.Target) {
        do throws(SimulationError) { perform(try StandInStep(command: command), target) } catch {
            answer(target, failure: error.reason)
        }
    }

    private func perform(_ step: StandInStep, _ target: StandInWait.Target) {
        switch step.command {
        case .status: answer(target) { self.describe(&$0) }
        case .requests: answer(target) { self.describeRequests(&$0) }
        case .wait(let awaited, let limit):
            waits.append(
                StandInWait(
                    target: target, awaited: awaited, deadline: MonotonicTime.now + limit, text: step.text))
        case .step(let duration):
            guard time.isManual else { return answer(target, failure: "step needs --pace manual") }
            waits.append(
                StandInWait(target: target, awaited: nil, deadline: time.step(by: duration), text: step.text))
            hasCaughtUp = false
        default:
            if step.time == .zero, step.interval == nil {
                lastStep = step
                apply(step)
            } else {
                var later = step
                later.time += elapsed
                if let reason = steps.add(later) { return answer(target, failure: reason) }
            }
            flush()
            answer(target)
        }
    }

    /// Performs a step that asks nothing.
    func apply(_ step: StandInStep) {
        switch step.command {
        case .fault(let fault, let name): begin(fault, named: name, seed: step.seed ?? 1)
        case .clear:
            state.clear()
            steps.clearRepeated()
        case .restore:
            state.end(.lost)
            state.end(.unplugged)
        case .accept: state.end(.refusing)
        case .move(let place): state.editor.move(to: place)
        case .jump(let metres): state.editor.jump(metres: metres)
        case .status, .requests, .wait, .step: return
        }
        adapt()
    }

    private func begin(_ fault: StandInFault, named name: String, seed: UInt64) {
        switch fault.effect {
        // Without a client the next one that watches meets the fault.
        case .hangUp(let reset) where watcherCount > 0: return end(reset: reset)
        case .restart: end(reset: false)
        default: break
        }
        state.begin(fault, named: name, seed: seed, at: time.now)
    }

    /// Ends all connections after the bytes that wait for them.
    private func end(reset: Bool) {
        for index in clients.indices { clients[index].queue.append(reset ? .reset : .end) }
    }

    /// Answers the waits whose condition is met, whose time has come, or whose client has gone; returns whether one has ended.
    @discardableResult
    func endWaits() -> Bool {
        let count = waits.count
        waits.removeAll { wait in
            if case .client(let number) = wait.target, control?.isConnected(number) != true { return true }
            let isDone =
                switch wait.awaited {
                case .clients(let count): watcherCount >= count
                case .read: hasCaughtUp && clients.allSatisfy(\.hasReadAll)
                case nil: time.now >= wait.deadline && hasCaughtUp
                }
            if isDone {
                answer(wait.target)
            } else if wait.awaited != nil, wait.deadline <= MonotonicTime.now {
                let watching = watcherCount
                let waiting = clients.count { !$0.hasReadAll }
                let what =
                    wait.awaited == .read
                    ? "\(waiting) \(waiting == 1 ? "client has" : "clients have") not read all"
                    : "\(watching) \(watching == 1 ? "client watches" : "clients watch")"
                answer(wait.target, failure: "\(wait.text): \(what) at the time limit")
            } else if isStopped {
                answer(wait.target, failure: "\(wait.text): the stand-in has stopped")
            } else {
                return false
            }
            return true
        }
        return waits.count < count
    }

    // MARK: Answers

    private var place: String {
        let time = TextBuffer.text { out in
            out.put("at ")
            out.put(trimmed: elapsed.inSeconds, decimals: 3)
            out.put(" s")
        }
        return lastStep.map { "\(time), after \($0.description)" } ?? time
    }

    /// Answers with the members of an object, or with a reason if the command is refused.
    private func answer(
        _ target: StandInWait.Target, failure: String? = nil, _ members: (inout TextBuffer) -> Void = { _ in }
    ) {
        let message = failure.map { "\($0) (\(place))" }
        var out = TextBuffer()
        out.object { out in
            out.member("ok", message == nil)
            out.member("error", message)
            out.member("time", elapsed)
            members(&out)
        }
        switch target {
        case .client(let number): control?.answer(number, out.bytes + [UInt8(ascii: "\n")])
        case .reply(let reply): reply.give(message.map { .failure(.script($0)) } ?? .success(out.text))
        }
    }

    private func describe(_ out: inout TextBuffer) {
        out.member("port", Int(port))
        out.member("clients", clients.count { $0.terminal == nil })
        out.member("watchers", watcherCount)
        out.member("connections", progress.connections)
        out.member("lines", progress.linesPlayed)
        out.member("requests", progress.requestCount)
        out.member("faults", state.names)
        out.member("next", steps.due)
        out.member("step", lastStep?.description)
    }

    private func describeRequests(_ out: inout TextBuffer) {
        out.member("count", progress.requestCount)
        out.list("requests", progress.requests) { out, request in
            out.member("client", request.client)
            out.member("text", request.text)
        }
    }
}
