import Glibc
import Platform

/// A gpsd of its own on a free port of this machine, read-only, that ends with this program.
final class RecordedDaemon {
    /// Why there is no daemon.
    enum Failure: Error, CustomStringConvertible {
        case missing(path: String)
        case ended(ChildProcess.Ending, arguments: [String])
        case silent(port: UInt16)
        case system(SystemFailure)

        var description: String {
            switch self {
            case .missing(let path): "there is no \(path): install the package gpsd"
            case .ended(let ending, let arguments): "gpsd \(arguments.joined(separator: " ")) ended at once: \(ending)"
            case .silent(let port): "gpsd does not answer on port \(port)"
            case .system(let failure): "\(failure)"
            }
        }
    }

    static let program = "/usr/sbin/gpsd"
    let port: UInt16
    let arguments: [String]
    let process: ChildProcess
    private let folder: String

    /// Starts gpsd for some devices and waits until it takes connections.
    init(devices: [String], options: [String] = ["-n", "-b"]) throws(Failure) {
        guard access(RecordedDaemon.program, X_OK) == 0 else { throw .missing(path: RecordedDaemon.program) }
        do throws(SystemFailure) {
            port = try LoopbackPort.free()
            var name = Array("/tmp/locwatch-gpsd-XXXXXX".utf8CString)
            guard mkdtemp(&name) != nil else { throw SystemFailure("make a folder in /tmp", code: errno) }
            folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            arguments = ["-N"] + options + ["-S", String(port), "-F", folder + "/control"] + devices
            // gpsd started as root leaves its shared memory behind; under a key of its own nobody else's is touched.
            process = try ChildProcess(
                path: RecordedDaemon.program, arguments: arguments,
                environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "GPSD_SHM_KEY": String(0x4c57_0000 + Int(port))])
        } catch {
            throw .system(error)
        }
        let deadline = ContinuousClock.now + .seconds(20)
        while (try? DaemonClient(port: port)) == nil {
            if let ending = process.endingIfAny { throw .ended(ending, arguments: arguments) }
            guard ContinuousClock.now < deadline else { throw .silent(port: port) }
            usleep(20_000)
        }
    }

    deinit {
        process.end()
        removeSharedMemory()
        unlink(folder + "/control")
        rmdir(folder)
    }

    private func removeSharedMemory() {
        let segment = shmget(key_t(0x4c57_0000 + Int(port)), 0, 0)
        if segment >= 0 { shmctl(segment, IPC_RMID, nil) }
    }
}
