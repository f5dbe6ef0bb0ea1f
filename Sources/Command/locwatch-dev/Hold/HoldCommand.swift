import GPSDSimulation
import Glibc
import LocationGPSD

/// Starts a gpsd with a simulated receiver and waits to be killed, so that a test can check that the daemon ends too.
struct HoldCommand: DeveloperCommand {
    static let name = "hold"
    static let operands = ""
    static let summary = "start a gpsd with a simulated receiver, print its process, and wait"

    init?(_ operands: [String]) {
        guard operands.isEmpty else { return nil }
    }

    func run() throws {
        // A program that a test starts from a thread of the Swift runtime inherits its blocked signals.
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        let daemon = try LoopbackGPSD(.walk)
        writeText("\(daemon.processID ?? 0)\n", to: STDOUT_FILENO)
        withExtendedLifetime(daemon) { _ = pause() }
    }
}

/// Starts a private gpsd for a device and waits to be killed, so that a test can check that the daemon ends too.
struct HoldPrivateCommand: DeveloperCommand {
    static let name = "hold-private"
    static let operands = "DEVICE"
    static let summary = "start a private gpsd for a device, print its process, and wait"

    private let device: String

    init?(_ operands: [String]) {
        guard operands.count == 1 else { return nil }
        device = operands[0]
    }

    func run() throws {
        let daemon = try PrivateGPSD(device: device)
        writeText("\(daemon.processID ?? 0)\n", to: STDOUT_FILENO)
        withExtendedLifetime(daemon) { _ = pause() }
    }
}
