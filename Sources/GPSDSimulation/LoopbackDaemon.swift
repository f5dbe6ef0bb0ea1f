import Glibc
package import LocwatchPlatform

/// A real gpsd on a port of 127.0.0.1 for what is simulated: it can be killed, and started again at the same port.
package final class LoopbackDaemon {
    /// Why there is no daemon.
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
    /// Where it takes connections.
    package let port: UInt16
    /// What it is started with.
    package let arguments: [String]
    private let folder: TemporaryFolder
    private var process: ChildProcess?

    /// Starts gpsd for some devices and waits until it takes connections.
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

    /// The process that runs now.
    package var processID: Int32? { process?.processID }

    /// Ends the daemon as a crash does: without a word to anybody.
    package func kill() {
        process?.send(SIGKILL)
        _ = process?.wait(for: .seconds(10))
        process = nil
        unlink(control)
    }

    /// Stops the daemon's process, or lets it go on, with the connections that it has.
    package func signal(_ number: Int32) { process?.send(number) }

    /// Starts the daemon again, at the same port.
    package func start() throws(Failure) {
        // gpsd leaves its shared memory behind when it was started by root, so it is kept from making any.
        let started: ChildProcess
        do throws(SystemFailure) {
            started = try ChildProcess(
                path: Self.program, arguments: arguments,
                environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], deniesSharedMemory: true)
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
