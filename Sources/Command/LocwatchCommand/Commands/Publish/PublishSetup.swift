import Glibc
import LocationCore
import LocationPublishing
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The parts of `publish` that are prepared before it begins: the targets, the queue, the schedule and the service manager.
struct PublishSetup {
    let targets: [PreparedTarget]
    /// Whether records need the dilutions of precision and each satellite.
    let needsSky: Bool
    let warnings: [String]
    /// The folder of the queue, or `nil` for memory.
    let folder: String?
    let limits: QueueLimits
    let schedule: PublishSchedule.Options
    let service: ServiceManager?
    /// The folder of the program's state, in which the queue is, unless another one was given.
    private let state: StateFolder?

    init(_ session: CommandSession) throws(StartFailure) {
        let (settings, context) = (session.settings, session.context)
        let publishing = settings.publishing
        targets = try Self.targets(settings, context.environment)
        needsSky = targets.contains(where: \.needsSky)
        schedule = Self.schedule(settings)
        warnings = targets.flatMap { $0.warnings.map(\.description) } + Self.warnings(settings, context.environment)
        limits = publishing.queueLimits
        service = ServiceManager(context.environment)
        let needsFolder = publishing.usesQueueFolder && targets.contains(where: \.encoder.needsQueue)
        let usesState = needsFolder && publishing.queueFolder == nil
        state = try usesState ? StateFolder(context.environment) : nil
        let word = targets.first?.word
        folder = publishing.usesQueueFolder ? publishing.queueFolder ?? state.map { $0.queue(of: word) } : nil
    }

    var makesEntries: Bool { targets.contains(where: \.makesEntry) }

    /// Creates the folder of the program's state, if the queue is in it.
    func makeState() throws(StartFailure) { try state?.make() }

    /// Opens the queue and starts the deliveries.
    ///
    /// - Parameter say: Says that another program writes the queue, for which it waits.
    /// - Returns: The publisher, or `nil` if a signal has ended the wait.
    func publisher(say: (String) -> Void) throws(StartFailure) -> LocationPublisher? {
        let (start, limit) = (DeliveryClock.now, LocationPublisher.longestWaitForQueue)
        var (hasSaid, isSignalled) = (false, false)
        do throws(PublishError) {
            return try LocationPublisher(targets, queue: folder.map { .folder($0, limits) } ?? .memory()) {
                if !hasSaid, let folder { say("another program writes to \(folder); waiting at most \(limit.spoken)") }
                hasSaid = true
                isSignalled = CaughtSignals.first != nil
                return !isSignalled && DeliveryClock.now - start < limit
            }
        } catch {
            if isSignalled { return nil }
            throw StartFailure(error)
        }
    }

    static func targets(
        _ settings: Settings, _ environment: [String: String], isForOneRecord: Bool = false, isForProbe: Bool = false
    ) throws(StartFailure) -> [PreparedTarget] {
        let publishing = settings.publishing
        var options = publishing.options
        options.hostName = HostName.current ?? ""
        options.homeFolder = environment["HOME"]
        options.started = .now
        options.isForOneRecord = isForOneRecord
        options.isForProbe = isForProbe
        if let interval = settings.request.minimumInterval ?? publishing.heartbeat, interval > .zero {
            options.positionInterval = interval
        }
        // The variable may be meant for another command, so it is only used if a target needs it.
        if publishing.passwordFile != nil || publishing.targets.contains(where: \.takesPassword) {
            do throws(UsageError) {
                options.password = try SecretFile.find(
                    publishing.passwordFile, credential: "password", variable: SecretFile.passwordVariable, environment)
            } catch {
                throw StartFailure(error)
            }
        }
        do throws(PublishError) {
            return try PreparedTarget.prepare(publishing.targets, options)
        } catch {
            throw StartFailure(error)
        }
    }

    private static func schedule(_ settings: Settings) -> PublishSchedule.Options {
        var options = PublishSchedule.Options()
        options.distance = settings.request.distanceFilter.flatMap { $0 > 0 ? $0 : nil }
        options.interval = settings.request.minimumInterval.flatMap { $0 > .zero ? $0 : nil }
        options.angle = settings.publishing.angle
        options.heartbeat = settings.publishing.heartbeat
        return options
    }

    private static func warnings(_ settings: Settings, _ environment: [String: String]) -> [String] {
        guard let path = settings.configuration, !settings.publishing.options.headers.fields.isEmpty else { return [] }
        let isCredential = environment["CREDENTIALS_DIRECTORY"].map { path.hasPrefix($0 + "/") } ?? false
        var status = stat()
        // The mode of a credential shows the rights of its access control list.
        guard stat(path, &status) == 0, status.st_mode & 0o044 != 0, !isCredential else { return [] }
        return ["other users can read the headers in \(path); if they are secret, use chmod 600"]
    }
}

extension PreparedTarget {
    /// Whether the target makes an entry at a path, whose mode is set, which a confined program cannot do.
    var makesEntry: Bool { if case .path = encoder { true } else { false } }
}

extension StartFailure {
    /// Creates the reason for targets or a publisher that cannot be used.
    init(_ error: PublishError) {
        let code: ExitCode =
            switch error.cause {
            case .usage, .unknownScheme: .usage
            case .transport: .unavailable
            case .port(let code): ExitCode(connecting: SystemFailure("listen", code: code))
            case let cause where cause.isOfDisk: .writingFailed
            case .creation, .disk, .database, .damage: .cannotCreate
            case .system: .internalError
            }
        self.init("\(error)", code)
    }
}
