import GPSDSimulation
import Glibc
import LocwatchPlatform

/// Writes a generated recording in which gpsd compares the host's clock with a receiver's to standard output.
struct ClockCommand: DeveloperCommand {
    static let name = "clock"
    static let operands = "[DELAY_MS [UNIT]] [--no-pulse]"
    static let summary = "write a generated recording of a receiver with a pulse, as in Fixtures/clock"

    private var scenario = ClockScenario()

    init?(_ operands: [String]) {
        var operands = operands
        if let place = operands.firstIndex(of: "--no-pulse") {
            operands.remove(at: place)
            scenario.hasPulse = false
        }
        guard operands.count <= 2 else { return nil }
        if let text = operands.first {
            guard let delay = Int(text), -10_000...10_000 ~= delay else { return nil }
            scenario.delay = .milliseconds(delay)
        }
        if let text = operands.dropFirst().first {
            guard let unit = Int(text), 0...254 ~= unit else { return nil }
            scenario.unit = unit
        }
    }

    func run() throws {
        let failure = scenario.recording().withUnsafeBytes { WholeWrite.write($0, to: STDOUT_FILENO) }
        if let failure { throw SystemFailure("write to standard output", code: failure) }
    }
}
