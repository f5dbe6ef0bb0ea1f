import GPSDSimulation
import LocationCore
import LocationGPSD

/// A subject with a stand-in that reports ten times a second or simulates a fault.
final class StandInSubject: SoakSubject {
    private enum Condition: CaseIterable {
        case reporting, noisy, quiet, noFix, refusing, stalled
    }

    let name = "stand-in"
    let session: FollowedSession
    // A session that was refused for four seconds waits 4.8 s before its next retry.
    let findLimit = Duration.seconds(12)
    private(set) var goodSince: Duration?
    private(set) var badSince: Duration? = .zero
    private let standIn: StandInGPSD
    private let clock: SessionClock
    private var condition = Condition.reporting
    private var until = Duration.seconds(5)
    private var nextReport = Duration.zero

    private static let device = "/dev/ttyUSB0"

    init(clock: SessionClock) throws {
        self.clock = clock
        var settings = StandInGPSD.Settings()
        settings.advance = .byHand
        let list = #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"\#(Self.device)"}]}"# + "\n"
        standIn = try StandInGPSD(StandInSession(list), settings: settings)
        session = FollowedSession(
            GPSDLocationSource(GPSDEndpoint(host: "127.0.0.1", port: String(standIn.port))))
        goodSince = .zero
        badSince = nil
    }

    func step(at now: Duration, _ random: inout SplitMix64) throws {
        if now >= until { change(at: now, &random) }
        guard now >= nextReport else { return }
        nextReport = now + .milliseconds(100)
        switch condition {
        case .reporting: standIn.send(report(mode: 3))
        case .noisy:
            let noise = (0..<Int.random(in: 1...400, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            standIn.send(noise + Array("\n".utf8) + report(mode: 3))
        case .noFix: standIn.send(report(mode: 1))
        case .quiet, .refusing, .stalled: break
        }
    }

    func mend(at now: Duration) {
        standIn.setFaults([])
        enter(.reporting, at: now)
        until = .seconds(1 << 40)
    }

    private func change(at now: Duration, _ random: inout SplitMix64) {
        standIn.setFaults([])
        if condition == .stalled { standIn.hangUp() }
        let isReporting = condition == .reporting || condition == .noisy
        let next: Condition = isReporting ? Condition.allCases.randomElement(using: &random) ?? .quiet : .reporting
        let bytes = report(mode: 3)
        switch next {
        case .refusing:
            // Half of the time, break off in the middle of a line.
            if Bool.random(using: &random) {
                standIn.send(Array(bytes.prefix(Int.random(in: 1..<bytes.count - 2, using: &random))))
            }
            standIn.setFaults([.refuses])
            standIn.hangUp(reset: Bool.random(using: &random))
        case .stalled: standIn.send(Array(bytes.prefix(40)))
        case .reporting, .noisy, .quiet, .noFix: break
        }
        enter(next, at: now)
        until = now + (next == .refusing ? random.seconds(0.2...4) : random.seconds(1...20))
    }

    private func enter(_ next: Condition, at now: Duration) {
        condition = next
        switch next {
        case .reporting, .noisy:
            goodSince = goodSince ?? now
            badSince = nil
        case .quiet, .noFix, .refusing, .stalled:
            goodSince = nil
            badSince = badSince ?? now
        }
    }

    private func report(mode: Int) -> [UInt8] {
        let position = mode >= 2 ? #","lat":45.5,"lon":7.68"# : ""
        return Array(
            (#"{"class":"TPV","device":"\#(Self.device)","mode":\#(mode),"time":"\#(clock.now.wall)"\#(position)}"#
                + "\r\n")
                .utf8)
    }
}
