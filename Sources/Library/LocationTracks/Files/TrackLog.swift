import Glibc
package import LocationCore

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
/// A log that continues files goes on in the newest one of a name, which is that with the greatest number, or in a new file after
/// it if the newest one is complete by the rotation. It never opens an older one, after a restart no more than before.
///
/// The files are complete after every point, or else appear when they are complete.
package final class TrackLog {
    private let pattern: String
    private let format: TrackFormat
    private var options: TrackFormat.Options
    private let rotation: TrackRotation?
    private let existing: TrackFile.Existing
    private let durability: TrackFile.Durability?
    private let separator: String
    private var file: (any TrackLogFile)?
    /// The time of the first point of the file, also if an earlier log has written it.
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
    /// - Parameters:
    ///   - durability: The events that a written point must survive; without any, a file appears when it is
    ///     complete, and an existing one is not continued.
    ///   - separator: The text between the name of a file and its number.
    package init(
        _ pattern: String, _ format: TrackFormat, _ options: TrackFormat.Options = .init(),
        rotation: TrackRotation? = nil, existing: TrackFile.Existing = .continued,
        durability: TrackFile.Durability? = .powerCut, separator: String = "-"
    ) {
        self.pattern = pattern
        self.format = format
        self.options = options
        self.rotation = rotation
        self.existing = existing
        self.durability = durability
        self.separator = separator
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
        } else if case .gap(.track(let name)) = element {
            // The next file can begin in the middle of the track.
            options.trackName = name
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

    /// Returns whether a file of an earlier log is complete, so that another one begins at a time.
    private func isComplete(_ file: TrackFile, at time: Timestamp) -> Bool {
        switch rotation {
        case .duration(let limit): file.start.map { time.since($0) >= limit } ?? false
        case .size(let limit): file.size >= limit
        case .calendar(let calendar):
            // The name of a day or an hour can return, such as `%d.gpx` in the next month.
            file.start.map { calendar.number(of: $0, inUTC: options.usesUTC) != period } ?? false
        case .stop, nil: false
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
        if case .calendar(let calendar) = rotation { period = calendar.number(of: time, inUTC: options.usesUTC) }
        let follows = plain == name
        name = plain
        let files = NumberedNames(plain, separator: separator)
        if existing != .continued || durability == nil {
            number = names[plain, default: 0] + 1
            names[plain] = number
        } else if rotation == nil {
            number = 1
        } else if let newest = files.newest() {
            if !follows, let file = try resume(files, newest, at: time) { return use(file, files.path(number)) }
            number = max(newest, follows ? number : 0) + 1
        } else {
            number = follows ? number + 1 : 1
        }
        let path = files.path(number)
        use(try create(path, options.starting(at: time)), path)
    }

    /// Opens the newest file of a name that earlier logs have written; returns `nil` if another one has to follow it.
    private func resume(_ files: NumberedNames, _ newest: Int, at time: Timestamp) throws(TrackFileError) -> TrackFile?
    {
        number = newest
        let file: TrackFile
        do throws(TrackFileError) {
            file = try makeFile(files.path(newest), options.starting(at: time), durability ?? .kill)
        } catch {
            // Another program may have written or edited it; a new file follows it then.
            if case .foreign = error, newest > 1 { return nil }
            throw error
        }
        guard isComplete(file, at: time) else {
            began = file.start
            isResumed = true
            return file
        }
        try file.finish()
        return nil
    }

    private func create(_ path: String, _ options: TrackFormat.Options) throws(TrackFileError) -> any TrackLogFile {
        var status = stat()
        isResumed = lstat(path, &status) == 0
        if let durability { return try makeFile(path, options, durability) }
        return try TrackDraft(path, format, options, overwrites: existing == .replaced, removesDrafts: paths.isEmpty)
    }

    /// A killed log is continued in the file that it was writing, so what it left in the folder belongs to the first one.
    private func makeFile(
        _ path: String, _ options: TrackFormat.Options, _ durability: TrackFile.Durability
    ) throws(TrackFileError) -> TrackFile {
        try TrackFile(
            path, format, options, existing, durability, SystemStorage(for: path), removesDrafts: paths.isEmpty)
    }

    private func use(_ file: any TrackLogFile, _ path: String) {
        self.file = file
        paths.append(path)
    }

    /// Returns a path with a hyphen and a number or a name before its extension.
    package static func path(_ path: String, with part: String) -> String {
        let place = NumberedNames.extensionPlace(in: path)
        return "\(path[..<place])-\(part)\(path[place...])"
    }
}
