import LocationCore
import GPSDProtocol
import LocwatchSupport

/// A receiver of a gpsd that takes requests about its rate; the time passes from one epoch to the next, without waiting.
final class PretendedReceiver: Source {
    /// The behaviour of the receiver when it is asked for a rate.
    enum Manner: Sendable {
        case obeys
        /// It keeps its rate, and says that it has the new one.
        case pretends
        /// It keeps its rate, and says so.
        case refuses
        /// It sends nothing any more until it is asked for the first rate again.
        case fallsSilent
        /// It never comes back.
        case dies
        /// It has the new rate, but an epoch in thirty is lost.
        case loses
    }

    struct Nature: Sendable {
        var path = "/dev/ttyUSB0"
        var driver: String? = "u-blox"
        var minimumCycle: Duration? = .milliseconds(20)
        var isReadOnly = false
        var cycle = Duration.seconds(1)
        var speed: Int? = 115_200
        var bytesPerEpoch = 400
        var hasFix = true
        var manner = Manner.obeys
        /// The paths of other receivers.
        var others: [String] = []
    }

    private let nature: Nature
    private let control: ReceiverControl?
    private(set) var now = Moment(elapsed: .zero, wall: Timestamp(nanosecondsSince1970: 1_790_000_000_000_000_000))
    private let arrived: ArrivedRequests
    private var cycle: Duration
    /// The cycle that gpsd has noted, a second at first.
    private var noted = Duration.seconds(1)
    private var said: Duration
    private var isSilent = false
    private var index = 0
    private var hasListed = false

    init(_ nature: Nature, _ control: ReceiverControl?, _ arrived: ArrivedRequests) {
        (self.nature, self.control, self.arrived) = (nature, control, arrived)
        (cycle, said) = (nature.cycle, nature.cycle)
    }

    let descriptor: Int32 = -1
    func timeLeft(until deadline: Moment?) -> Duration? { .zero }
    func stop() {}

    func turn(isReady: Bool, into updates: inout ReusedQueue<LocationUpdate>) -> Bool {
        for (request, _) in control?.takeRequests() ?? [] {
            arrived.all.withLock { $0.append(request) }
            serve(request, &updates)
        }
        now = now.advanced(by: cycle)
        index += 1
        if !hasListed {
            hasListed = true
            for path in [nature.path] + nature.others { updates.append(LocationUpdate(.device(status(path)), at: now)) }
        }
        let isLost = nature.manner == .loses && cycle != nature.cycle && index.isMultiple(of: 30)
        if isSilent || isLost { return true }
        if nature.hasFix {
            let location = Location(
                coordinate: Coordinate(latitude: 45, longitude: 7), timestamp: now.wall, device: nature.path)
            updates.append(LocationUpdate(.location(location), at: now))
        } else {
            let reason = SearchReason.noFix(seen: 3, used: 0, best: 20)
            updates.append(LocationUpdate(.searching(reason, device: nature.path), at: now))
        }
        return true
    }

    private func status(_ path: String) -> DeviceStatus {
        var status = DeviceStatus(path: path, activity: .reporting)
        (status.driver, status.speed, status.cycle) = (nature.driver, nature.speed, noted)
        (status.minimumCycle, status.isReadOnly) = (nature.minimumCycle, nature.isReadOnly)
        return status
    }

    private func serve(_ request: ReceiverControl.Request, _ updates: inout ReusedQueue<LocationUpdate>) {
        switch request {
        case .countBytes(let time):
            control?.byteCount = Int((Double(nature.bytesPerEpoch) * (time / cycle)).rounded())
        case .setCycle(let wish):
            noted = wish
            // gpsd answers each command about a device with its state.
            updates.append(LocationUpdate(.device(status(nature.path)), at: now))
            switch nature.manner {
            case .obeys, .loses: (cycle, said) = (wish, wish)
            case .pretends: said = wish
            case .refuses: break
            case .fallsSilent: isSilent = wish != nature.cycle
            case .dies: isSilent = true
            }
        case .write: if nature.driver == "u-blox", !isSilent { noted = said }
        case .reportState: updates.append(LocationUpdate(.device(status(nature.path)), at: now))
        }
    }
}

/// The requests that have arrived at a receiver.
final class ArrivedRequests: Sendable {
    let all = Lock<[ReceiverControl.Request]>([])
}

/// A provider of sessions with a pretended receiver.
struct PretendedReceiverProvider: LocationProvider {
    var nature = PretendedReceiver.Nature()
    /// The requests that have arrived.
    private let arrived = ArrivedRequests()

    init(_ change: (inout PretendedReceiver.Nature) -> Void = { _ in }) { change(&nature) }

    /// The cycles that the receiver was asked for.
    var cycles: [Duration] {
        arrived.all.withLock { requests in
            requests.compactMap { if case .setCycle(let cycle) = $0 { cycle } else { nil } }
        }
    }

    func updates(for request: LocationRequest) -> LocationUpdates {
        LocationUpdates(for: request) { [nature, arrived, control = request.control] _ in
            PretendedReceiver(nature, control, arrived)
        } orThrow: {
            .system($0)
        }
    }
}
