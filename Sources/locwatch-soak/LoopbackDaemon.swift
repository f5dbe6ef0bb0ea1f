import Glibc
import Platform

/// A real gpsd on a port of 127.0.0.1 that can be killed and started again at the same port.
final class LoopbackDaemon {
    /// Why there is no daemon.
    enum Failure: Error, CustomStringConvertible {
        case missing(path: String)
        case ended(ChildProcess.Ending, arguments: [String])
        case silent(port: UInt16)
        case system(SystemFailure)

        var description: String {
            switch self {
            case .missing(let path): "there is no \(path): install the package gpsd"
            case .ended(let ending, let arguments): "gpsd \(arguments.joined(separator: " ")) ended: \(ending)"
            case .silent(let port): "gpsd does not answer on port \(port)"
            case .system(let failure): "\(failure)"
            }
        }
    }

    private static let program = "/usr/sbin/gpsd"
    let port: UInt16
    private let devices: [String]
    private let options: [String]
    private let folder: String
    private var process: ChildProcess?

    /// Starts gpsd for some devices and waits until it takes connections.
    init(devices: [String] = [], options: [String] = ["-n", "-b"]) throws(Failure) {
        guard access(Self.program, X_OK) == 0 else { throw .missing(path: Self.program) }
        self.devices = devices
        self.options = options
        do throws(SystemFailure) {
            port = try LoopbackPort.free()
            var name = Array("/tmp/locwatch-gpsd-XXXXXX".utf8CString)
            guard mkdtemp(&name) != nil else { throw SystemFailure("make a folder in /tmp", code: errno) }
            folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        } catch {
            throw .system(error)
        }
        try start()
    }

    deinit {
        kill()
        removeSharedMemory()
        rmdir(folder)
    }

    /// The process that runs now.
    var processID: Int32? { process?.processID }

    /// Ends the daemon as a crash does: without a word to anybody.
    func kill() {
        process?.send(SIGKILL)
        _ = process?.wait(for: .seconds(10))
        process = nil
        unlink(control)
    }

    /// Stops the daemon's process, or lets it go on, with the connections that it has.
    func signal(_ number: Int32) { process?.send(number) }

    /// Starts the daemon again, at the same port.
    func start() throws(Failure) {
        // gpsd leaves shared memory behind when it was started as root; under a key of its own nobody else's is touched.
        let arguments = ["-N"] + options + ["-S", String(port), "-F", control] + devices
        let started: ChildProcess
        do throws(SystemFailure) {
            started = try ChildProcess(
                path: Self.program, arguments: arguments,
                environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "GPSD_SHM_KEY": String(sharedMemoryKey)])
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

    private var control: String { folder + "/control" }
    private var sharedMemoryKey: Int { 0x4c57_0000 + Int(port) }

    private func accepts() -> Bool {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard connection >= 0 else { return false }
        defer { close(connection) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private func removeSharedMemory() {
        let segment = shmget(key_t(sharedMemoryKey), 0, 0)
        if segment >= 0 { shmctl(segment, IPC_RMID, nil) }
    }
}
