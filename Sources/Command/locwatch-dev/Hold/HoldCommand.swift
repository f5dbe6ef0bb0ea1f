import Glibc
import LocationGPSD

/// Starts a private gpsd for a device and waits to be killed, so that a test can check that the daemon ends too.
struct HoldCommand: DeveloperCommand {
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
