import Glibc
import LocwatchPlatform
import LocwatchSupport

/// A real gpsd on a free port of 127.0.0.1 that reads simulated receivers, and can be killed and started again.
///
/// ```swift
/// let daemon = try LoopbackGPSD(.walk)
/// let source = GPSDLocationSource(GPSDEndpoint(port: "\(daemon.port)"))
/// ```
///
/// The daemon ends with its owner: when this object is released, and when the process ends, also by SIGTERM, SIGKILL or a
/// crash. It is `/usr/sbin/gpsd` of the package `gpsd`.
public final class LoopbackGPSD: Sendable {
    private static let program = "/usr/sbin/gpsd"
    /// The port at which the daemon accepts connections; it stays the same when the daemon is started again.
    public let port: UInt16
    /// The receivers that the daemon reads.
    public let receivers: [SimulatedReceiver]
    package let arguments: [String]
    private let folder: TemporaryFolder
    private let process = Lock<ChildProcess?>(nil)

    /// Creates a receiver that plays a scenario and starts gpsd for it; returns when the daemon accepts connections.
    public convenience init(
        _ scenario: ReceiverScenario, settings: SimulatedReceiver.Settings = SimulatedReceiver.Settings()
    ) throws(SimulationError) {
        try self.init(reading: [try SimulatedReceiver(scenario, settings: settings)])
    }

    /// Starts gpsd for some receivers; returns when the daemon accepts connections.
    public convenience init(reading receivers: [SimulatedReceiver]) throws(SimulationError) {
        try self.init(receivers, devices: receivers.map(\.path))
    }

    /// Starts gpsd for some devices with its options.
    package init(
        _ receivers: [SimulatedReceiver] = [], devices: [String] = [], options: [String] = ["-n", "-b"]
    ) throws(SimulationError) {
        guard access(Self.program, X_OK) == 0 else {
            throw SimulationError("there is no \(Self.program): install the package gpsd")
        }
        do throws(SystemFailure) {
            port = try LoopbackPort.free()
            folder = try TemporaryFolder("locwatch-gpsd")
            arguments = ["-N"] + options + ["-S", String(port), "-F", folder.path + "/control"] + devices
        } catch {
            throw SimulationError(error.description)
        }
        self.receivers = receivers
        try start()
    }

    deinit {
        kill()
        folder.remove()
    }

    package var processID: Int32? { process.withLock { $0?.processID } }

    /// Ends the daemon and its receivers.
    public func stop() {
        kill()
        for receiver in receivers { receiver.stop() }
    }

    /// Ends the daemon abruptly, as a crash does.
    public func kill() {
        guard let process = process.withLock({ $0.take() }) else { return }
        process.send(SIGKILL)
        _ = process.wait(for: .seconds(10))
        unlink(control)
    }

    /// Starts the daemon again at the same port; returns when it accepts connections.
    public func start() throws(SimulationError) {
        // A gpsd that root started leaves its shared memory behind, so it is prevented from creating any.
        let started: ChildProcess
        do throws(SystemFailure) {
            started = try ChildProcess(
                path: Self.program, arguments: arguments,
                environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], confinement: .withoutSharedMemory)
        } catch {
            throw SimulationError(error.description)
        }
        process.withLock { $0 = started }
        let deadline = ContinuousClock.now + .seconds(20)
        while !accepts() {
            if let ending = started.endingIfAny {
                let how = if case .exited(let code) = ending { "with code \(code)" } else { "by a signal" }
                throw SimulationError("gpsd ended at once \(how): \(Self.program) \(arguments.joined(separator: " "))")
            }
            guard ContinuousClock.now < deadline else {
                throw SimulationError("gpsd does not answer on port \(port)")
            }
            usleep(20_000)
        }
    }

    private var control: String { folder.path + "/control" }

    private func accepts() -> Bool {
        guard let connection = try? LoopbackPort.connect(to: port) else { return false }
        close(connection)
        return true
    }
}
