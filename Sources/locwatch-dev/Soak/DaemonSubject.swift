import GPSDSimulation
import LocationCore
import LocationGPSD

/// A subject with a real gpsd, which is killed, and a simulated receiver, which is unplugged.
final class DaemonSubject: SoakSubject {
    private enum Condition { case running, killed, unplugged }

    let name = "gpsd"
    let session: FollowedSession
    // gpsd 3.22 takes up to 64 seconds to reopen a receiver that was away, and then waits for a request.
    let findLimit = Duration.seconds(80)
    private(set) var goodSince: Duration? = .zero
    private(set) var badSince: Duration?
    private let daemon: LoopbackGPSD
    private var condition = Condition.running
    private var until = Duration.seconds(8)

    init() throws {
        var scenario = ReceiverScenario.walk
        scenario.rate = 5
        daemon = try LoopbackGPSD(scenario)
        session = FollowedSession(GPSDLocationSource(GPSDEndpoint(host: "127.0.0.1", port: String(daemon.port))))
    }

    func step(at now: Duration, _ random: inout SplitMix64) throws {
        guard now >= until else { return }
        switch condition {
        case .running where Int.random(in: 0..<3, using: &random) > 0:
            daemon.kill()
            enter(.killed, at: now)
            until = now + random.seconds(0...4)
        case .running:
            // Only unplug with a fix: when a client connects while the receiver is away, gpsd frees the device.
            guard session.view.state.location != nil else { return }
            daemon.receivers[0].unplug()
            enter(.unplugged, at: now)
            until = now + random.seconds(1...15)
        case .killed, .unplugged: try restore(at: now, &random)
        }
    }

    func mend(at now: Duration) throws {
        var random = SplitMix64(seed: 0)
        if condition != .running { try restore(at: now, &random) }
        until = .seconds(1 << 40)
    }

    private func restore(at now: Duration, _ random: inout SplitMix64) throws {
        if condition == .killed { try daemon.start() } else { daemon.receivers[0].plugIn() }
        enter(.running, at: now)
        until = now + random.seconds(10...60)
    }

    private func enter(_ next: Condition, at now: Duration) {
        condition = next
        goodSince = next == .running ? now : nil
        badSince = next == .running ? nil : now
    }
}
