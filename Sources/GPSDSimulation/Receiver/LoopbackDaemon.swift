import Glibc
package import LocwatchPlatform

/// A real gpsd on a port of 127.0.0.1 for simulated receivers, which can be killed and restarted at the same port.
package final class LoopbackDaemon {
    /// The reason why the daemon cannot be started.
    package enum Failure: Error, CustomStringConvertible {
        case missing(path: String)
        case ended(ChildProcess.Ending, arguments: [String])
        case silent(port: UInt16)
        case system(SystemFailure)

        package var description: String {
            switch self {
            case .missing(let path): "there is no \(path): install the package gpsd"
            case .ended(let ending, let arguments): "gpsd \(arguments.joined(separator: " ")) ended: \(ending)"
            case .silent(let port): "gpsd does not answer on port \(port)"
            case .system(let failure): "\(failure)"
            }
        }
    }

    private static let program = "/usr/sbin/gpsd"
    /// The port at which the daemon accepts connections.
    package let port: UInt16
    /// The arguments of the daemon.
    package let arguments: [String]
    private let folder: TemporaryFolder
    private var process: ChildProcess?

    /// Starts gpsd for some devices and waits until it accepts connections.
    package init(devices: [String] = [], options: [String] = ["-n", "-b"]) throws(Failure) {
        guard access(Self.program, X_OK) == 0 else { throw .missing(path: Self.program) }
        do throws(SystemFailure) {
            port = try LoopbackPort.free()
            folder = try TemporaryFolder("locwatch-gpsd")
            arguments = ["-N"] + options + ["-S", String(port), "-F", folder.path + "/control"] + devices
        } catch {
            throw .system(error)
        }
        try start()
    }

    deinit {
        kill()
        folder.remove()
    }

    /// The id of the running process, if any.
    package var processID: Int32? { process?.processID }

    /// Ends the daemon abruptly, as a crash does.
    package func kill() {
        process?.send(SIGKILL)
        _ = process?.wait(for: .seconds(10))
        process = nil
        unlink(control)
    }

    /// Sends a signal to the daemon, such as SIGSTOP and SIGCONT to pause and continue it with its connections.
    package func signal(_ number: Int32) { process?.send(number) }

    /// Starts the daemon again at the same port, and waits until it accepts connections.
    package func start() throws(Failure) {
        // A gpsd that root started leaves its shared memory behind, so it is prevented from creating any.
        let started: ChildProcess
        do throws(SystemFailure) {
            started = try ChildProcess(
                path: Self.program, arguments: arguments,
                environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], confinement: .withoutSharedMemory)
        } catch {
            throw .system(error)
        }
        process = started
        let deadline = ContinuousClock.now + .seconds(20)
        while !accepts() {
            if let ending = started.endingIfAny { throw .ended(ending, arguments: arguments) }
            guard ContinuousClock.now < deadline else { throw .silent(port: port) }
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
