import GPSDSimulation
import Glibc

/// Starts a gpsd with a simulated receiver and waits to be killed, so that a test can check that the daemon ends too.
struct HoldCommand: DeveloperCommand {
    static let name = "hold"
    static let operands = ""
    static let summary = "start a gpsd with a simulated receiver, print its process and its device, and wait"

    init(_ operands: [String]) throws {
        guard operands.isEmpty else { throw UsageError() }
    }

    func run() throws {
        // A program that a test starts from a thread of the Swift runtime inherits its blocked signals.
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        let daemon = try LoopbackGPSD(.walk)
        writeText("\(daemon.processID ?? 0) \(daemon.receivers[0].path)\n", to: STDOUT_FILENO)
        withExtendedLifetime(daemon) { _ = pause() }
    }
}
