import Glibc
package import LocationCore

/// The condition on which a log continues in a new file.
package enum TrackRotation: Hashable, Sendable {
    /// The time since the file's first point.
    case duration(Duration)
    /// The size of the file in bytes.
    case size(Int)
    /// The end of a day or an hour of the calendar.
    case calendar(CalendarPeriod)
    /// The departure after a stop of at least this duration; see `TripSplitter`.
    case stop(Duration)
}

/// A period of the calendar.
package enum CalendarPeriod: String, CaseIterable, Hashable, Sendable {
    case day, hour

    /// Returns a number that two times have in common if they are in the same period.
    ///
    /// When a clock is set back at the end of summer time, the hour that it repeats is one period.
    package func number(of time: Timestamp, inUTC: Bool) -> Int? {
        LocalTimeText.fields(time, inUTC: inUTC).map { fields in
            let day = Int(fields.tm_year) * 366 + Int(fields.tm_yday)
            return self == .day ? day : day * 24 + Int(fields.tm_hour)
        }
    }
}

/// A file of a log.
protocol TrackLogFile {
    var points: Int { get }
    /// The size of the file in bytes.
    var size: Int { get }
    func process(_ element: TrackElement) throws(TrackFileError)
    func finish() throws(TrackFileError)
}

extension TrackFile: TrackLogFile {}

/// A track in a sequence of files.
///
/// strftime makes the name of each file from the time of its first point, in the time zone of the system or in UTC: with
/// `walk-%Y%m%d-%H%M.gpx`, for example, a new file can begin every hour or every megabyte. A name that would repeat the
/// previous one gets a number before its extension, and so does one that this log has written before, unless it continues files.
///
/// The files are complete after every point, or else appear when they are complete.
package final class TrackLog {
    private let pattern: String
    private let format: TrackFormat
    private let options: TrackFormat.Options
    private let rotation: TrackRotation?
    private let existing: TrackFile.Existing
    private let durability: TrackFile.Durability?
    private var file: (any TrackLogFile)?
    private var began: Timestamp?
    /// The number of the day or the hour of the file, for a rotation by the calendar.
    private var period: Int?
    private var number = 1
    private var name: String?
    private var names: [String: Int] = [:]
    private var isResumed = false
    private var finishedPoints = 0
    /// The paths of the files, in the order of their creation.
    package private(set) var paths: [String] = []

    /// Creates a log that begins with its first point; without a rotation it is one file.
    ///
    /// - Parameter durability: The events that a written point must survive; without any, a file appears when it is
    ///   complete, and an existing one is not continued.
    package init(
        _ pattern: String, _ format: TrackFormat, _ options: TrackFormat.Options = .init(),
        rotation: TrackRotation? = nil, existing: TrackFile.Existing = .continued,
        durability: TrackFile.Durability? = .powerCut
    ) {
        self.pattern = pattern
        self.format = format
        self.options = options
        self.rotation = rotation
        self.existing = existing
        self.durability = durability
    }

    package var points: Int { finishedPoints + (file?.points ?? 0) }

    /// Creates the first file before there is a point, so that an impossible name is reported at once.
    package func begin(at time: Timestamp) throws(TrackFileError) {
        if file == nil { try open(at: time) }
    }

    /// Processes an element of the track; when this returns, the file holds it, if it has to survive anything.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - now: The time that replaces the time of a point without one.
    ///   - beginsTrip: Whether the point is the first one of a trip, for which a log with `TrackRotation.stop` has a file of its own.
    package func process(
        _ element: TrackElement, now: Timestamp, beginsTrip: Bool = false
    ) throws(TrackFileError) {
        if case .point(let point) = element {
            let time = point.location.timestamp ?? now
            if isOver(at: time, beginsTrip) {
                removeUnused()
                try close()
            }
            if file == nil { try open(at: time) }
            // The duration counts from the first point, even if the file was created earlier.
            if began == nil { began = time }
        }
        try file?.process(element)
    }

    package func finish() throws(TrackFileError) { try close() }

    private func isOver(at time: Timestamp, _ beginsTrip: Bool) -> Bool {
        switch rotation {
        case .duration(let limit): began.map { time.since($0) >= limit } ?? false
        case .size(let limit): began != nil && (file?.size ?? 0) >= limit
        case .calendar(let calendar): file != nil && calendar.number(of: time, inUTC: options.usesUTC) != period
        case .stop: began != nil && beginsTrip
        case nil: false
        }
    }

    private func close() throws(TrackFileError) {
        guard let ended = file else { return }
        file = nil
        began = nil
        try ended.finish()
        finishedPoints += ended.points
    }

    /// Removes a file that the log has made before its first point, which turned out to be of another day.
    private func removeUnused() {
        guard case .calendar = rotation, let file, file.points == 0, !isResumed, let path = paths.popLast() else {
            return
        }
        unlink(path)
        names[name ?? ""] = nil
        name = nil
        self.file = nil
    }

    private func open(at time: Timestamp) throws(TrackFileError) {
        let plain = LocalTimeText.formatted(time, pattern, inUTC: options.usesUTC)
        number = existing == .continued ? (plain == name ? number + 1 : 1) : names[plain, default: 0] + 1
        name = plain
        names[plain] = number
        if case .calendar(let calendar) = rotation { period = calendar.number(of: time, inUTC: options.usesUTC) }
        let path = number == 1 ? plain : Self.path(plain, with: String(number))
        var status = stat()
        isResumed = lstat(path, &status) == 0
        let options = options.starting(at: time)
        if let durability {
            // A killed log is continued in the file that it was writing.
            file = try TrackFile(
                path, format, options, existing, durability, SystemStorage(for: path), removesDrafts: paths.isEmpty)
        } else {
            file = try TrackDraft(
                path, format, options, overwrites: existing == .replaced, removesDrafts: paths.isEmpty)
        }
        paths.append(path)
    }

    /// Returns a path with a hyphen and a number or a name before its extension.
    package static func path(_ path: String, with part: String) -> String {
        let folder = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        guard let point = path[folder...].lastIndex(of: "."), point > folder else { return "\(path)-\(part)" }
        return "\(path[..<point])-\(part)\(path[point...])"
    }
}
