import Glibc
package import LocationCore
import GPSDProtocol
package import LocwatchPlatform
import LocwatchSupport

/// A gpsd for one device that ends with its owner, however the owner ends.
///
/// Other users of the machine cannot connect to it, unless `Settings.isShared` is set or gpsd takes no socket, as one that was
/// built without socket activation; see `isShared`. It leaves no process, no file, and no shared memory behind. The kernel confines it to its
/// device or stream, as far as this machine can, so the bytes of a receiver reach no other file, program or connection.
package final class PrivateGPSD: Sendable {
    /// The configuration of a private daemon.
    package struct Settings: Hashable, Sendable {
        /// The line's speed in bits per second, or `nil` to have gpsd detect it.
        package var speed: Int?
        /// Whether gpsd must not write to the receiver; one that may asks it about its kind, and configures it only on request, but
        /// for a receiver of MediaTek, which it sets to 1 Hz.
        package var isReadOnly = true {
            didSet {
                if !isReadOnly { limit = max(limit, GPSDQuirks.probing) }
            }
        }
        /// Whether every user and program of this machine may connect to the daemon, at a TCP port of loopback.
        package var isShared = false
        /// The corrections that the daemon forwards to the receiver, if any; it then writes to the receiver.
        package var corrections: CorrectionsSource? {
            didSet { if corrections != nil { isReadOnly = false } }
        }
        /// The timeouts of the connection to the source of the corrections.
        package var timeouts = ConnectionTimeouts()
        /// The time limit for the daemon to answer.
        package var limit = Duration.seconds(10)
        /// The time from the request to end until the daemon is killed.
        var grace = Duration.seconds(1)
        /// The path of the program, or `nil` to search `PATH` and Debian's usual folders.
        package var program: String?

        /// The path of the program if it can be started.
        var programPath: String? {
            (program ?? GPSDProgram.path).flatMap { access($0, X_OK) == 0 ? $0 : nil }
        }

        /// The parts of the confinement of the program, for tests.
        package var confinedParts = ConfinementParts.all
        /// Whether a system call that the confinement does not mention ends the program, for tests.
        package var trapsUnlistedCalls = false
        /// The port of loopback that is tried first, for tests.
        package var firstPort: UInt16?

        /// Creates the default settings: read-only, any speed, closed to other users.
        package init() {}
    }

    /// The path of the device, as given and as the daemon names it.
    package let device: String
    /// The endpoint of the daemon, for a `GPSDLocationSource`.
    package let endpoint: GPSDEndpoint
    /// The port of 127.0.0.1 at which the daemon answers, or `nil` if `endpoint` is a socket of this process.
    package let port: UInt16?
    /// The opened device, which is a stream at one of the addresses of its host.
    let opening: GPSDInput
    /// Whether the daemon opens streams in the background, so that it takes a while until data comes.
    let opensInBackground: Bool
    /// The release of the daemon, as it states it.
    let release: String?
    let corrections: CorrectionsFeed?
    /// The path of the device by which the daemon reads the corrections, if any.
    let correctionsDevice: String?
    private let process: Lock<ChildProcess?>
    /// A connection that lasts as long as the daemon, if any.
    private let lasting: OwnedDescriptor?
    private let isSharedByRequest: Bool

    /// Starts a daemon; blocks until it answers and has the device open.
    package convenience init(device: String, settings: Settings = Settings()) throws(LocationError) {
        try self.init(.line(device), settings: settings, interruption: nil)
    }

    /// Starts a daemon; blocks until it answers and has the device open, or until `interruption` happens.
    init(_ opening: GPSDInput, settings: Settings, interruption: Event?) throws(LocationError) {
        // Until the daemon has the line open, which shows it to others.
        var claim: LineClaim?
        defer { withExtendedLifetime(claim) {} }
        if case .line(let path, _) = opening {
            claim = try SerialLine.claim(path, interruption: interruption)
            // A gpsd that sees the other processes refuses a line that one of them has open, also for a claim.
            if !settings.confinedParts.intersection(.available).contains(.files) { claim = nil }
        }
        guard let program = settings.programPath else {
            let place = settings.program ?? "\(GPSDProgram.folders.joined(separator: ", "))"
            throw .daemonUnavailable(cause: "\(LocationError.missingGPSD) in \(place)")
        }
        let deadline = ContinuousClock.now + settings.limit
        device = opening.place
        isSharedByRequest = settings.isShared
        var candidates = [opening]
        if case .stream(let stream) = opening {
            candidates = try stream.candidates(before: deadline, interruption: interruption).map { .stream($0) }
        }
        let pipe: CorrectionsPipe?
        do throws(SystemFailure) {
            pipe = settings.corrections == nil ? nil : try CorrectionsPipe()
        } catch {
            throw .daemonUnavailable(cause: "\(error)")
        }
        for (index, candidate) in candidates.enumerated() {
            do throws(LocationError) {
                let started = try Self.start(
                    candidate, isLast: index == candidates.count - 1, program: program, settings: settings,
                    pipe: pipe, deadline: deadline, interruption: interruption)
                let feed = try Self.feed(settings, into: pipe, started.process)
                var endpoint = started.endpoint
                // The pipe of the corrections is a device of the daemon too.
                if feed != nil { endpoint.device = candidate.device }
                correctionsDevice = pipe?.path
                self.opening = candidate
                self.endpoint = endpoint
                port = started.port
                opensInBackground = started.opensInBackground
                release = started.release
                lasting = started.lasting
                corrections = feed
                process = Lock(started.process)
                return
            } catch {
                // The next address of a host may answer.
                guard case .streamUnavailable = error, index < candidates.count - 1 else { throw error }
            }
        }
        throw .daemonUnavailable(cause: "there is nothing to open")
    }

    /// Starts the feed of the corrections, if there are any; if it cannot run, neither does the daemon.
    private static func feed(
        _ settings: Settings, into pipe: CorrectionsPipe?, _ process: ChildProcess
    ) throws(LocationError) -> CorrectionsFeed? {
        guard let pipe, let source = settings.corrections else { return nil }
        do throws(SystemFailure) {
            return try CorrectionsFeed(source, into: pipe, timeouts: settings.timeouts)
        } catch {
            process.end()
            throw .daemonUnavailable(cause: "\(error)")
        }
    }

    private typealias Started = (
        endpoint: GPSDEndpoint, port: UInt16?, process: ChildProcess, opensInBackground: Bool,
        lasting: OwnedDescriptor?, release: String?
    )

    private static func start(
        _ opening: GPSDInput, isLast: Bool, program: String, settings: Settings, pipe: CorrectionsPipe?,
        deadline: ContinuousClock.Instant, interruption: Event?
    ) throws(LocationError) -> Started {
        var (opensInBackground, lasting, release) = (false, OwnedDescriptor?.none, String?.none)
        func launch(_ access: GPSDStartup.Access) throws(LocationError) -> ChildProcess? {
            let launch: GPSDStartup
            do throws(SystemFailure) {
                launch = try GPSDStartup(
                    program: program, opening: opening, isLast: isLast, access: access, settings: settings,
                    corrections: pipe)
            } catch {
                throw .daemonUnavailable(cause: "\(error)")
            }
            let process = try launch.process(before: deadline, interruption: interruption)
            (opensInBackground, lasting) = (launch.opensInBackground, launch.takeClient())
            release = launch.release
            return process
        }
        var socket: UnlinkedSocket?
        if case .log(_, let known) = opening {
            socket = known
        } else if !settings.isShared {
            // Only a gpsd that takes no socket is reached at a port, which every user of the machine can read.
            do throws(SystemFailure) { socket = try UnlinkedSocket() } catch {
                throw .daemonUnavailable(cause: "there is no socket that only this user can reach: \(error)")
            }
        }
        if let socket, let process = try launch(.socket(socket)) {
            return (GPSDEndpoint(socket), nil, process, opensInBackground, lasting, release)
        }
        let harm: String? =
            switch opening {
            case .stream(let stream) where stream.address.user != nil:
                "so that the password would be visible to every user of the machine"
            case .log: "which raw logs need"
            default: settings.isReadOnly ? nil : "so that every user of the machine could write to the receiver"
            }
        if let harm { throw .daemonUnavailable(cause: "this gpsd takes no socket, \(harm)") }
        for attempt in 0..<attempts {
            let port: UInt16
            do throws(SystemFailure) {
                port = if attempt == 0, let first = settings.firstPort { first } else { try LoopbackPort.free() }
            } catch {
                throw .daemonUnavailable(cause: "\(error)")
            }
            // Another program may take the port before gpsd does.
            guard let process = try launch(.port(port)) else { continue }
            return (GPSDEndpoint(host: "127.0.0.1", port: String(port)), port, process, false, nil, release)
        }
        throw .daemonUnavailable(cause: "no port is free: other programs took \(attempts) of them")
    }

    private static let attempts = 20

    deinit {
        let process = process.withLock { $0 }
        Endings.run { [corrections, lasting] in
            Self.end(corrections, process)
            withExtendedLifetime(lasting) {}
        }
    }

    /// Whether other users of this machine can connect to the daemon and read the position.
    ///
    /// True if the settings asked for it, or if gpsd takes no socket.
    package var isShared: Bool { port != nil }

    /// The words for a user of a daemon that others can read though that was not asked for, or `nil` for any other one.
    var exposure: String? {
        guard let port, !isSharedByRequest else { return nil }
        return "this gpsd takes no socket, so that every user of the machine can read the position at port \(port)"
    }

    package var isRunning: Bool {
        guard let process = process.withLock({ $0 }) else { return false }
        return process.endingIfAny == nil
    }

    /// A descriptor that is readable once the daemon has ended, or −1 after `end()`.
    var endDescriptor: Int32 { process.withLock { $0 }?.descriptor ?? -1 }

    /// The way in which the daemon has ended, or `nil` if it has not within a time.
    func ending(within limit: Duration) -> ChildProcess.Ending? { process.withLock { $0 }?.wait(for: limit) }

    /// The id of the daemon's process, or `nil` after `end()`.
    package var processID: Int32? { process.withLock { $0?.processID } }

    /// Ends the daemon and waits until it is gone.
    package func end() {
        Self.end(corrections, process.withLock { $0 })
        process.withLock { $0 = nil }
    }

    private static func end(_ corrections: CorrectionsFeed?, _ process: ChildProcess?) {
        corrections?.end()
        process?.end()
    }
}

extension LocationError {
    /// The beginning of the cause of `daemonUnavailable` if gpsd is not installed.
    package static let missingGPSD = "there is no program gpsd"
}

extension SerialLine {
    /// Claims the device, and checks that a daemon can open it, because gpsd does not tell its clients why it cannot.
    ///
    /// The daemon of an earlier session of this process gets the time to end; it may have ended right after it was found. A program that
    /// has claimed the device gets the time to be seen with it.
    fileprivate static func claim(_ path: String, interruption: Event?) throws(LocationError) -> LineClaim {
        let deadline = ContinuousClock.now + .seconds(2)
        while true {
            let claim = LineClaim(of: path)
            let holders = try holders(of: path)
            if holders == nil, let claim { return claim }
            let mayChange = holders?.contains { $0.isGPSD && $0.isOwn != false } ?? true
            guard mayChange, .now < deadline, interruption?.hasHappened != true else {
                throw .deviceUnusable(path: path, cause: .busy(holder: holders?.first.map { "\($0)" }))
            }
            usleep(10_000)
        }
    }

    /// Returns the processes that have a device open, as far as they are visible, or `nil` if a daemon can open it.
    private static func holders(of path: String) throws(LocationError) -> [DeviceHolder]? {
        let fault: LocationError.DeviceFault
        switch SerialLine(path: path) {
        case .line(let device, isExclusive: true): return DeviceHolder.all(of: device)
        case .line(let device, isExclusive: false):
            // gpsd refuses a line that another process has open.
            let readers = DeviceHolder.readers(of: device)
            return readers.isEmpty ? nil : readers
        case .missing: fault = .missing
        case .notPermitted: fault = .notPermitted
        case .notALine: fault = .notASerialDevice
        case .unusable(let failure): fault = .system(cause: failure.reason)
        }
        throw .deviceUnusable(path: path, cause: fault)
    }
}
