import LocationCore
import LocationTracks
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchSupport

/// The pieces of the tracks of a session, after their filters, which wait for the writer.
///
/// It is one value, because each access to a property of a class is checked.
struct ExportedTracks {
    /// The filters through which a track passes.
    private struct Lane {
        var thinning: TrackThinning
        var simplification: TrackThinning?
        /// The splitter of a rotation by stops.
        var trips: TripSplitter?
        /// Whether the next point that is written is the first one of another trip.
        var beginsTrip = false
        /// The number of the day or the hour of the last point, for a rotation by the calendar.
        var period: Int?

        init(_ settings: Settings) {
            thinning = TrackThinning(every: settings.request.minimumInterval, minMove: settings.request.distanceFilter)
            simplification = settings.file.simplification.map { TrackThinning(simplify: $0) }
            if case .stop(let duration) = settings.file.rotation { trips = TripSplitter(stop: duration) }
        }
    }

    private let settings: Settings
    /// Whether files follow each other by stops, and whether lines are simplified.
    private let (splitsTrips, simplifies): (Bool, Bool)
    private var lanes = PerDevice<Lane>()
    private var pieces: [TrackPiece] = []
    /// The number of points that the filters of interval and distance have let through.
    private(set) var count = 0
    /// The number of points without a time.
    private(set) var untimed = 0
    /// The receivers whose tracks lack points since the last piece that was taken.
    private var torn: [String?] = []

    init(_ settings: Settings) {
        self.settings = settings
        splitsTrips = if case .stop = settings.file.rotation { true } else { false }
        simplifies = settings.file.simplification != nil
    }

    /// Adds an element of the track of a receiver, through the filters; returns whether the last requested point has come.
    mutating func add(
        _ element: consuming TrackElement, of receiver: String?, _ view: SessionView, at moment: Moment
    ) -> Bool {
        guard count != settings.limits.count else { return true }
        if settings.output.columns != nil { judge(&element, view, at: moment) }
        let lane = lane(of: receiver)
        if splitsTrips {
            for piece in lanes[place: lane].trips?.process(element, at: moment) ?? [] { add(piece, of: lane) }
        } else {
            add(consume element, of: lane, at: moment)
        }
        return count == settings.limits.count
    }

    private mutating func lane(of receiver: String?) -> Int {
        if let lane = lanes.index(of: receiver) { return lane }
        let new = Lane(settings)
        return lanes.place(of: receiver, default: new)
    }

    /// Adds the judgement of the receiver to a point, which only chosen columns show.
    private func judge(_ element: inout TrackElement, _ view: SessionView, at moment: Moment) {
        guard case .point(var point) = element else { return }
        let reported = view.reported(point.location, nil, at: moment)
        point.verdict = reported.verdict
        point.isStationary = reported.isStationary
        point.distance = reported.distance
        element = .point(point)
    }

    /// Adds the elements that the filters still hold, up to the limit of positions.
    mutating func finish(at moment: Moment) {
        for lane in 0..<lanes.count {
            for piece in lanes[place: lane].trips?.finish() ?? [] { add(piece, of: lane) }
            finishLine(of: lane, at: moment)
        }
    }

    /// Adds an element that is in the file of its trip, through the filters, unless all requested points have come.
    private mutating func add(_ piece: TripSplitter.Piece, of lane: Int) {
        guard count != settings.limits.count else { return }
        if piece.beginsTrip {
            // A simplified line ends with the trip.
            finishLine(of: lane, at: piece.moment)
            lanes[place: lane].beginsTrip = true
        }
        add(piece.element, of: lane, at: piece.moment)
    }

    /// Adds an element through the filters.
    private mutating func add(_ element: consuming TrackElement, of lane: Int, at moment: Moment) {
        guard lanes[place: lane].thinning.admits(element, at: moment.elapsed) else { return }
        if case .point = element { count += 1 }
        guard simplifies else { return put(consume element, of: lane, at: moment) }
        cut(before: element, of: lane, at: moment)
        for kept in lanes[place: lane].simplification?.process(element, at: moment.elapsed) ?? [] {
            put(kept, of: lane, at: moment)
        }
    }

    /// Ends a simplified line with its last point before midnight, or before the full hour, if the next file has the element.
    private mutating func cut(before element: TrackElement, of lane: Int, at moment: Moment) {
        guard case .calendar(let calendar) = settings.file.rotation, let location = element.location else { return }
        let period = calendar.number(of: location.timestamp ?? moment.wall, inUTC: settings.output.usesUTC)
        if period != lanes[place: lane].period { finishLine(of: lane, at: moment) }
        lanes[place: lane].period = period
    }

    private mutating func finishLine(of lane: Int, at moment: Moment) {
        for element in lanes[place: lane].simplification?.finish() ?? [] { put(element, of: lane, at: moment) }
    }

    private mutating func put(_ element: consuming TrackElement, of lane: Int, at moment: Moment) {
        var beginsTrip = false
        if case .point(let point) = element {
            if point.location.timestamp == nil { untimed += 1 }
            if splitsTrips, lanes[place: lane].beginsTrip {
                beginsTrip = true
                lanes[place: lane].beginsTrip = false
            }
        }
        pieces.append(
            TrackPiece(consume element, of: lanes.device(at: lane), at: moment.wall, beginsTrip: beginsTrip))
    }

    // MARK: For the writer

    var hasPieces: Bool { !pieces.isEmpty }

    /// Whether tracks lack points since the last piece that was taken.
    var isTorn: Bool { !torn.isEmpty }

    /// Returns and removes the pieces so far; a segment begins in each track that lacks points.
    mutating func takePieces() -> [TrackPiece] {
        if let time = pieces.first?.time, isTorn {
            pieces.insert(contentsOf: torn.map { TrackPiece(.gap(.missing), of: $0, at: time) }, at: 0)
            torn = []
        }
        let taken = pieces
        pieces = []
        pieces.reserveCapacity(min(taken.count, 256))
        return taken
    }

    /// Drops the pieces, for which the writer has no room, and returns the number of points among them.
    mutating func dropPieces() -> Int {
        var points = 0
        for piece in pieces {
            if case .point = piece.element { points += 1 }
            if !torn.contains(piece.receiver) { torn.append(piece.receiver) }
            if piece.beginsTrip {
                let lane = lane(of: piece.receiver)
                lanes[place: lane].beginsTrip = true
            }
        }
        pieces.removeAll(keepingCapacity: true)
        return points
    }
}
