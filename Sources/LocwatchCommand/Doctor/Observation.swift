import LocationCore
import LocationGPSD

/// What was seen of a session so far: what the checks judge.
struct Observation: Sendable {
    let source: SourceWord
    /// When it began.
    let start: Moment
    /// The last moment that was told of.
    private(set) var now: Moment
    /// Whether no more will come, so that each check must answer.
    var isOver = false
    /// Whether somebody has taken the connection, at the end.
    var isConnected = false
    /// What ended the session.
    var failure: LocationError?
    /// Whether a gpsd has greeted, and its release.
    private(set) var hasAnswered = false
    private(set) var release: String?
    /// Whether the daemon says that it has no receiver.
    private(set) var hasNoDevice = false
    /// The receivers, in the order in which they were told of.
    private(set) var devices: [DeviceStatus] = []
    /// The paths that are gone, as far as this machine sees.
    private(set) var lost: Set<String> = []
    /// What the daemon complained about.
    private(set) var complaints: [LocationError] = []
    /// The receivers that reported something.
    private(set) var heard: Set<String> = []
    /// The best that was seen of the sky by each receiver.
    private(set) var skies: [SkyView] = []
    /// The positions, each instant once.
    private(set) var positions: [ObservedPosition] = []
    /// What later daemons tell of the antenna: 2 open, 3 short.
    private(set) var antenna: Int?
    /// Interference, 0 … 255.
    private(set) var jamming: Int?

    init(_ source: SourceWord, at start: Moment) {
        self.source = source
        self.start = start
        now = start
    }

    /// For how long it has been watched.
    var watched: Duration { now.elapsed - start.elapsed }

    /// The last that was seen of the sky by the receiver that sees most.
    var sky: SkyView? { skies.max { ($0.used ?? 0, $0.seen ?? 0) < ($1.used ?? 0, $1.seen ?? 0) } }

    /// Takes note of an event of the session.
    mutating func note(_ update: LocationUpdate) {
        now = max(now, update.moment)
        switch update.event {
        case .searching(.connected(let release), _):
            hasAnswered = true
            self.release = release
        case .searching(.noDevice, _): hasNoDevice = true
        case .searching(.deviceLost(let path), _): lost.insert(path)
        case .device(let status):
            hasNoDevice = false
            if let index = devices.firstIndex(where: { $0.path == status.path }) {
                devices[index] = status
            } else {
                devices.append(status)
            }
        case .location(let location):
            heard.insert(location.device ?? "")
            antenna = location.details?.antennaStatus ?? antenna
            jamming = location.details?.jamming ?? jamming
            if !location.isLate { note(location, at: update.moment) }
        case .receiver(let report):
            heard.insert(report.device ?? "")
            antenna = report.antennaStatus ?? antenna
            jamming = report.jamming ?? jamming
        case .satellites(let sky):
            heard.insert(sky.device ?? "")
            note(sky)
        case .searching(.noFix, let device): heard.insert(device ?? "")
        case .failure(let error, _): complaints.append(error)
        case .searching, .authorization, .line, .notice: break
        }
    }

    mutating func passTime(to moment: Moment) { now = max(now, moment) }

    private mutating func note(_ location: Location, at moment: Moment) {
        let position = ObservedPosition(location: location, moment: moment)
        if location.revision > 0, let last = positions.lastIndex(where: { $0.location.device == location.device }) {
            positions[last] = position
        } else {
            positions.append(position)
        }
    }

    private mutating func note(_ sky: SkyView) {
        // A report of figures alone does not say that nothing is seen.
        guard sky.seen != nil || sky.satellites != nil else { return }
        skies.removeAll { $0.device == sky.device }
        skies.append(sky)
    }
}

/// A position and when it came.
struct ObservedPosition: Hashable, Sendable {
    var location: Location
    var moment: Moment
}

extension Observation {
    private var endpoint: GPSDEndpoint? { source.endpoint }

    /// The host that is asked; empty where it is none.
    var host: String { endpoint?.host ?? "" }

    var port: String { endpoint?.port ?? "" }

    var isStandardPort: Bool { port == GPSDEndpoint().port || port == "gpsd" }

    /// The address as people name it.
    var place: String { endpoint?.place ?? source.place }

    /// Whether the daemon runs on this machine, so that its devices are this machine's.
    var isHere: Bool { endpoint?.isLocal ?? true }
}
