import Glibc
public import LocationCore
package import Platform
import Synchronization

/// A gpsd of one's own, for one device: on a free port of loopback, and gone when its owner is, however that ends.
///
/// It leaves nothing behind: no process, no file, no shared memory.
public final class PrivateGPSD: Sendable {
    /// How a daemon is set up.
    public struct Settings: Hashable, Sendable {
        /// The line's speed in bits a second; gpsd finds it out where it is `nil`.
        public var speed: Int?
        /// Whether gpsd is kept from writing to the receiver, as it would reconfigure many of them.
        public var isReadOnly = true
        /// How long the daemon may take to answer.
        public var limit = Duration.seconds(10)
        /// The program's path; looked for on `PATH` and where Debian has it where it is `nil`.
        public var program: String?

        /// The usual settings: read-only, at whatever speed.
        public init() {}
    }

    /// The device as it was given, and as the daemon names it.
    public let device: String
    /// The port of 127.0.0.1 at which the daemon answers.
    public let port: UInt16
    private let process: Mutex<ChildProcess?>

    /// Starts a daemon on a thread of its own; returns when it answers and has the device open.
    ///
    /// A task that is cancelled gets `cancelled` within a tenth of a second, and there is no daemon then.
    public static func start(
        device: String, settings: Settings = Settings()
    ) async throws(LocationError) -> PrivateGPSD {
        let interruption: Event
        do throws(SystemFailure) { interruption = try Event() } catch {
            throw .daemonUnavailable(cause: "\(error)")
        }
        let result: Result<PrivateGPSD, LocationError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                do throws(SystemFailure) {
                    try NativeThread.start {
                        continuation.resume(
                            returning: Result { () throws(LocationError) in
                                try PrivateGPSD(device: device, settings: settings, interruption: interruption)
                            })
                    }
                } catch {
                    continuation.resume(returning: .failure(.daemonUnavailable(cause: "\(error)")))
                }
            }
        } onCancel: {
            interruption.happen()
        }
        return try result.get()
    }

    /// Starts a daemon; blocks until it answers and has the device open, or until `interruption` happens.
    package init(
        device: String, settings: Settings = Settings(), interruption: Event? = nil,
        freePort: () throws(SystemFailure) -> UInt16 = { () throws(SystemFailure) in try LoopbackPort.free() }
    ) throws(LocationError) {
        try SerialLine.check(device)
        guard let program = settings.program ?? GPSDProgram.path, access(program, X_OK) == 0 else {
            let place = settings.program ?? "\(GPSDProgram.folders.joined(separator: ", "))"
            throw .daemonUnavailable(cause: "there is no program gpsd in \(place)")
        }
        let deadline = ContinuousClock.now + settings.limit
        for _ in 0..<Self.attempts {
            let port: UInt16
            let launch: GPSDLaunch
            do throws(SystemFailure) {
                port = try freePort()
                launch = try GPSDLaunch(program: program, device: device, port: port, settings: settings)
            } catch {
                throw .daemonUnavailable(cause: "\(error)")
            }
            // Between asking for a free port and taking it another program may have taken it.
            guard let process = try launch.process(before: deadline, interruption: interruption) else { continue }
            self.device = device
            self.port = port
            self.process = Mutex(process)
            return
        }
        throw .daemonUnavailable(cause: "no port is free: other programs took \(Self.attempts) of them")
    }

    private static let attempts = 20

    deinit { end() }

    /// Whether the daemon runs.
    public var isRunning: Bool { process.withLock { $0?.endingIfAny == nil && $0 != nil } }

    /// The daemon's process, while it was not ended.
    package var processID: Int32? { process.withLock { $0?.processID } }

    /// Ends the daemon; it is gone when this returns.
    public func end() {
        process.withLock { process in
            process?.end()
            process = nil
        }
    }
}

extension SerialLine {
    /// Makes sure that a daemon can open the device, as gpsd does not tell its clients why it cannot.
    fileprivate static func check(_ path: String) throws(LocationError) {
        let line: SerialLine
        do throws(Fault) {
            line = try SerialLine(path: path)
        } catch {
            throw .deviceUnusable(path: path, cause: .init(error))
        }
        // gpsd takes no line that another process has open. A pseudo terminal is always held by its maker.
        guard line.isExclusive || !line.isPseudoTerminal else { return }
        let holder = DeviceHolder.find(line.number)
        guard line.isExclusive || holder != nil else { return }
        throw .deviceUnusable(path: path, cause: .busy(holder: holder.map { "\($0)" }))
    }
}

extension LocationError.DeviceFault {
    fileprivate init(_ fault: SerialLine.Fault) {
        self =
            switch fault {
            case .missing: .missing
            case .notPermitted: .notPermitted
            case .exclusive(let number): .busy(holder: DeviceHolder.find(number).map { "\($0)" })
            case .notALine: .notASerialDevice
            case .system(let failure): .system(failure.reason)
            }
    }
}
