import Glibc
@testable import GPSDSimulation
@testable import LocationCore
@testable import LocwatchPlatform

/// Fuzzes the scripts of a stand-in, with a client that watches what they do to a session.
func fuzzScripts(_ input: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: input, as: UTF8.self)
    let script: StandInScript
    do throws(SimulationError) { script = try StandInScript(text) } catch {
        check(!hides(error.description), "the message of an error shows a hidden character")
        return check(error.line.map { 1...text.utf8.count + 1 ~= $0 } ?? false, "an error has no line")
    }
    for step in script.steps {
        var words = WordReader(step.text[...], line: step.line)
        var again = try? words.step(isScript: true)
        again?.text = step.text
        again?.line = step.line
        check(again == step, "the text of a step is another step")
    }
    guard let first = played(script) else { return }
    check(played(script).map { $0 == first } ?? true, "a script sends other bytes the second time")
}

/// Returns what a client receives in ten seconds of a script, or `nil` if the script keeps the stand-in busy.
private func played(_ script: StandInScript) -> [UInt8]? {
    var settings = StandInGPSD.Settings()
    (settings.clock, settings.script) = (.manual, script)
    let server = standIn(.drive, settings)
    var ends: [Int32] = [-1, -1]
    check(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0, "there are no sockets")
    var client = StandInClient(number: 1, socket: ends[0], at: .zero)
    (client.policy.isEnabled, client.policy.json) = (true, true)
    server.clients.append(client)
    defer {
        for client in server.clients { client.close(reset: false) }
        close(ends[1])
    }
    var received: [UInt8] = []
    var (seconds, turns) = (0, 0)
    // A socket that is full lets time pass, so the client reads each second, which has at most 50 pieces.
    while seconds < 10, turns < 30 {
        if turns == 0 || server.hasCaughtUp { _ = server.time.step(by: .seconds(1)) }
        server.playWhatIsDue()
        repeat { server.flush() } while receive(from: ends[1], &received)
        if server.hasCaughtUp { seconds += 1 }
        turns += 1
    }
    return seconds == 10 ? received : nil
}

/// Returns a stand-in of a simulated receiver that does nothing by itself, and whose time is always the same.
func standIn(_ scenario: ReceiverScenario, _ settings: StandInGPSD.Settings) -> StandInServer {
    guard let mailbox = try? StandInServer.Mailbox(StandInGPSD.Progress()),
        let server = try? StandInServer(
            session: StandInRecording(scenario), settings: settings, mailbox: mailbox,
            now: { Timestamp(secondsSince1970: 1.8e9) })
    else { fatalError("there is no stand-in") }
    return server
}

/// Reads what has arrived; returns whether something had.
private func receive(from client: Int32, _ received: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(client, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count > 0 { received += buffer.prefix(count) }
    return count > 0
}
