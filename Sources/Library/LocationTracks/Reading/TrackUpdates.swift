import LocationCore
import GPSDProtocol
import LocwatchSupport

/// A converter of the elements of a track to the updates of a session.
///
/// Each point is an epoch as it stands: the view of its satellites, if it has figures of them, then its position, both at the
/// time of the point. The end of a segment is a search for a fix. The session begins with a notice of how long a position stays
/// current, because a track itself says where it is interrupted, and its points can be far apart.
struct TrackUpdates {
    private struct Receiver {
        var heard: Timestamp
        var located: Timestamp?
        /// The number of satellites that were last seen.
        var seen: Int?
    }

    /// The number of the track of the last point that names no receiver.
    private var track: Int?

    private var receivers = PerDevice<Receiver>()
    private var clock = RecordingClock()
    private var lines = TrackLines()
    /// The notices that come with the first element that has a time.
    private var waiting = [Notice(.staleAfter(TrackProvider.longestInterval))]

    /// Appends what an element says, after its lines of gpsd's JSON if they are included.
    mutating func process(
        _ element: ReadElement, includesLines: Bool, into updates: inout ReusedQueue<LocationUpdate>
    ) {
        guard let (device, time) = element.origin else {
            let notice: Notice
            switch element {
            case .message(let text): notice = Notice(text)
            case .leftOut(let words): notice = Notice(.leftOut(words))
            case .point, .gap: return
            }
            guard let now = clock.now else { return waiting.append(notice) }
            return updates.append(LocationUpdate(.notice(notice), at: now))
        }
        let isNew = receivers[device] == nil
        let place = receivers.place(of: device, default: Receiver(heard: time))
        let now = advance(to: time, ofReceiverAt: place)
        if !waiting.isEmpty {
            if includesLines { updates.append(LocationUpdate(.line(TrackLines.beginning), at: now)) }
            for notice in waiting { updates.append(LocationUpdate(.notice(notice), at: now)) }
            waiting = []
        }
        if includesLines {
            for line in lines.lines(of: element) { updates.append(LocationUpdate(.line(line), at: now)) }
        }
        if isNew, let device {
            var status = DeviceStatus(path: device, activity: .reporting)
            status.lastHeard = now.wall
            updates.append(LocationUpdate(.device(status), at: now))
        }
        if case .point(let point) = element {
            // The name of a receiver distinguishes its track from others.
            if device == nil, let next = point.track, next.number != track {
                if track != nil || next.name != nil {
                    updates.append(LocationUpdate(.notice(Notice(.track(name: next.name))), at: now))
                }
                track = next.number
            }
            receivers[place: place].seen = point.seen ?? receivers[place: place].seen
            if point.location.fix != .none { return locate(point, receiverAt: place, at: now, &updates) }
        }
        let reason = SearchReason.noFix(seen: receivers[place: place].seen, used: nil, best: nil)
        updates.append(LocationUpdate(.searching(reason, device: device), at: now))
    }

    /// Advances to the time of an element, which all receivers of a track share.
    private mutating func advance(to time: Timestamp, ofReceiverAt place: Int) -> Moment {
        let isAdvancing = time >= receivers[place: place].heard
        receivers[place: place].heard = time
        // A receiver that is behind another one adds no time until it has caught up.
        if receivers.count > 1, isAdvancing, let now = clock.now, time < now.wall { return now }
        clock.hear(time)
        return clock.now ?? Moment(elapsed: .zero, wall: time)
    }

    /// Emits the epoch of a point that has a fix.
    private mutating func locate(
        _ point: TrackPoint, receiverAt place: Int, at now: Moment, _ updates: inout ReusedQueue<LocationUpdate>
    ) {
        let time = point.location.timestamp
        let before = receivers[place: place].located
        // A point with the time of the one before it is a part of that epoch, of which there is one position.
        guard time != before else { return }
        receivers[place: place].located = time
        var location = point.location
        location.change { draft in
            draft.completeMagneticCourse()
            draft.facts.received = time
            draft.facts.isSimulated = true
            if let before, let time { draft.facts.isLate = time < before }
        }
        var update = LocationUpdate(.location(location), at: now)
        if var sky = point.sky {
            sky.timestamp = time
            var epoch = SkyMemory()
            updates.append(LocationUpdate(.satellites(epoch.note(sky, at: now)), at: now))
            update.sky = epoch.sky(of: location, at: now)
        }
        updates.append(update)
    }
}
