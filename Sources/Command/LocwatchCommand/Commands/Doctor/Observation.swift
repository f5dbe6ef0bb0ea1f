import LocationCore
import LocationGPSD
import LocationTracks
import LocwatchArguments

/// The observed part of a session, which the checks examine.
struct Observation: Sendable {
    let source: SourceWord
    /// The corrections that the receiver is to be given, if any.
    var corrections: CorrectionsSource? { source.corrections }
    let start: Moment
    /// The moment of the last event.
    private(set) var now: Moment
    /// Whether no more events will arrive, so that each check must answer.
    var isOver = false
    /// Whether there is time to read a serial line directly after the session.
    var mayListen = false
    /// Whether the connection was accepted, known at the end.
    var isConnected = false
    var failure: LocationError?
    /// The moment at which a gpsd has greeted.
    private(set) var greeting: Moment?
    private(set) var release: String?
    /// Whether the daemon reports that it has no receiver.
    private(set) var hasNoDevice = false
    private(set) var view = SessionView()
    private(set) var lost: Set<String> = []
    /// The errors that the session reported without ending.
    private(set) var complaints: [LocationError] = []
    /// The paths of the receivers that have reported.
    private(set) var heard: Set<String> = []
    /// The positions, one per epoch.
    private(set) var positions: [ObservedPosition] = []
    /// The comparisons of the host's clock with the receivers'.
    private(set) var clocks = ClockStatistics()
    /// The antenna status from newer releases of gpsd: 2 is open, 3 is short.
    private(set) var antenna: Int?
    /// The interference, from 0 to 255.
    private(set) var jamming: Int?
    private(set) var correctionsStatus: CorrectionsStatus?
    /// The messages of gpsd, if they are asked for.
    private(set) var conversation = ReportedConversation()

    init(_ source: SourceWord, at start: Moment) {
        self.source = source
        self.start = start
        now = start
    }

    var watched: Duration { now.elapsed - start.elapsed }

    var hasAnswered: Bool { greeting != nil }

    /// The duration of the observation since gpsd has greeted.
    var listened: Duration { greeting.map { now.elapsed - $0.elapsed } ?? .zero }

    /// The receivers, in the order in which they were first reported.
    var devices: [DeviceStatus] { view.devices.compactMap { view[$0]?.status } }

    /// The satellites of the report with most of them that a receiver uses and sees.
    ///
    /// gpsd reports an epoch in parts, and dilutions of precision alone do not mean that no satellite is seen.
    private(set) var sky: SkyView?

    /// Processes an event of the session, which then amounts to `view`.
    mutating func process(_ update: LocationUpdate, _ view: SessionView) {
        self.view = view
        now = max(now, update.moment)
        switch update.event {
        case .searching(let reason, let device): process(reason, device)
        case .device: hasNoDevice = false
        case .location(let location):
            heard.insert(location.device ?? "")
            antenna = location[count: .antennaStatus] ?? antenna
            jamming = location[count: .jamming] ?? jamming
            if !location.isLate { positions.append(ObservedPosition(location: location, moment: update.moment)) }
        case .receiver(let report):
            heard.insert(report.device ?? "")
            antenna = report.antennaStatus ?? antenna
            jamming = report.jamming ?? jamming
        case .satellites(let sky):
            heard.insert(sky.device ?? "")
            note(sky)
        case .attitude(let attitude): heard.insert(attitude.device ?? "")
        case .failure(let error, _): complaints.append(error)
        case .clock: clocks.process(update.event, at: update.moment)
        case .notice(let notice): if case .corrections(let status) = notice.content { correctionsStatus = status }
        case .line(let line): conversation.process(Array(line))
        case .authorization, .other: break
        }
    }

    private mutating func note(_ new: SkyView) {
        guard new.seen != nil || new.satellites != nil else { return }
        if let sky, (sky.used ?? 0, sky.seen ?? 0) > (new.used ?? 0, new.seen ?? 0) { return }
        sky = new
    }

    private mutating func process(_ reason: SearchReason, _ device: String?) {
        switch reason {
        case .connected(let release):
            greeting = greeting ?? now
            self.release = release
        case .noDevice: hasNoDevice = true
        case .deviceLost(let path): lost.insert(path)
        case .noFix: heard.insert(device ?? "")
        default: break
        }
    }

    mutating func passTime(to moment: Moment) { now = max(now, moment) }
}

/// A position and the moment of its arrival.
struct ObservedPosition: Hashable, Sendable {
    var location: Location
    var moment: Moment
}

extension Observation {
    private var endpoint: GPSDEndpoint? { source.endpoint }

    /// The host of the daemon, or an empty string if the source is not a daemon.
    var host: String { endpoint?.host ?? "" }

    var port: String { endpoint?.port ?? "" }

    /// The host as a SOURCE on a command line, which stands for the usual port.
    var hostWord: String { ShellWords.quoted(GPSDEndpoint(host: host, port: "").place) }

    var isStandardPort: Bool { source.hasUsualPort }

    /// The address or origin of the session in words.
    var place: String { endpoint?.place ?? source.place }

    /// Whether the daemon runs on this machine, so that its devices belong to this machine.
    var isHere: Bool { endpoint?.isLocal ?? true }

    /// Returns the command line that observes the same for another time, as in `-t 1m`.
    func command(_ limit: String) -> String { "locwatch doctor \(limit)\(source.argument)" }
}
