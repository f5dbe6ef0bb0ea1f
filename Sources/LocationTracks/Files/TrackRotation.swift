public import LocationCore

/// When a log goes on in another file.
public enum TrackRotation: Hashable, Sendable {
    /// When the file's first point is so old.
    case duration(Duration)
    /// When the file has so many bytes.
    case size(Int)
}

/// A track in one file after another.
///
/// The name of each is made with strftime out of the time of its first point, in the time zone of the system: with
/// `walk-%Y%m%d-%H%M.gpx` a new file is begun every hour or every megabyte. A name that would be the same again gets a number
/// before its extension.
public final class TrackLog {
    private let pattern: String
    private let format: TrackFormat
    private let options: TrackFormat.Options
    private let rotation: TrackRotation?
    private let existing: TrackFile.Existing
    private let durability: TrackFile.Durability
    private var file: TrackFile?
    private var began: Timestamp?
    private var number = 1
    private var name: String?
    private var finishedPoints = 0
    /// The files that were begun, in their order.
    public private(set) var paths: [String] = []

    /// A log that begins with its first point; without a rotation it is one file.
    public init(
        _ pattern: String, _ format: TrackFormat, _ options: TrackFormat.Options = .init(),
        rotation: TrackRotation? = nil, existing: TrackFile.Existing = .continued,
        durability: TrackFile.Durability = .powerCut
    ) {
        self.pattern = pattern
        self.format = format
        self.options = options
        self.rotation = rotation
        self.existing = existing
        self.durability = durability
    }

    /// How many points were taken, in all files.
    public var points: Int { finishedPoints + (file?.points ?? 0) }

    /// Begins the first file although there is no point yet, so that a name which cannot be is known at once.
    public func begin(at time: Timestamp) throws(TrackFileError) {
        if file == nil { try open(at: time) }
    }

    /// Takes an element of the track; when this returns, the file holds it.
    ///
    /// - Parameter now: the time of the log, for points that have none.
    public func take(_ element: TrackElement, now: Timestamp) throws(TrackFileError) {
        if case .point(let point) = element {
            let time = point.location.timestamp ?? now
            if isOver(at: time) { try close() }
            if file == nil { try open(at: time) }
            // From its first point on, whenever the file was made.
            if began == nil { began = time }
        }
        try file?.take(element)
    }

    /// Ends the log.
    public func finish() throws(TrackFileError) { try close() }

    private func isOver(at time: Timestamp) -> Bool {
        guard let began else { return false }
        switch rotation {
        case .duration(let limit): return time.since(began) >= limit
        case .size(let limit): return (file?.size ?? 0) >= limit
        case nil: return false
        }
    }

    private func close() throws(TrackFileError) {
        guard let ended = file else { return }
        file = nil
        began = nil
        finishedPoints += ended.points
        try ended.finish()
    }

    private func open(at time: Timestamp) throws(TrackFileError) {
        let plain = LocalTime.formatted(time, pattern)
        number = plain == name ? number + 1 : 1
        name = plain
        let path = number == 1 ? plain : Self.numbered(plain, number)
        file = try TrackFile(path, format, options.starting(at: time), existing: existing, durability: durability)
        paths.append(path)
    }

    /// A name with a number before its extension.
    static func numbered(_ path: String, _ number: Int) -> String {
        let folder = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        guard let point = path[folder...].lastIndex(of: "."), point > folder else { return "\(path)-\(number)" }
        return "\(path[..<point])-\(number)\(path[point...])"
    }
}
