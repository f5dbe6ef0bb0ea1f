package import LocationCore

/// The condition on which a log continues in a new file.
package enum TrackRotation: Hashable, Sendable {
    /// The time since the file's first point.
    case duration(Duration)
    /// The size of the file in bytes.
    case size(Int)
}

/// A file of a log.
protocol TrackLogFile {
    /// The number of points written.
    var points: Int { get }
    /// The size of the file in bytes.
    var size: Int { get }
    /// Processes an element of the track.
    func process(_ element: TrackElement) throws(TrackFileError)
    /// Finishes the file.
    func finish() throws(TrackFileError)
}

extension TrackFile: TrackLogFile {}

/// A track in a sequence of files.
///
/// strftime makes the name of each file from the time of its first point, in the time zone of the system: with
/// `walk-%Y%m%d-%H%M.gpx`, for example, a new file can begin every hour or every megabyte. A name that would repeat the
/// previous one gets a number before its extension.
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
    private var number = 1
    private var name: String?
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

    /// The number of points written to all files.
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
    package func process(_ element: TrackElement, now: Timestamp) throws(TrackFileError) {
        if case .point(let point) = element {
            let time = point.location.timestamp ?? now
            if isOver(at: time) { try close() }
            if file == nil { try open(at: time) }
            // The duration counts from the first point, even if the file was created earlier.
            if began == nil { began = time }
        }
        try file?.process(element)
    }

    /// Finishes the log.
    package func finish() throws(TrackFileError) { try close() }

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
        try ended.finish()
        finishedPoints += ended.points
    }

    private func open(at time: Timestamp) throws(TrackFileError) {
        let plain = LocalTimeText.formatted(time, pattern)
        number = plain == name ? number + 1 : 1
        name = plain
        let path = number == 1 ? plain : Self.numbered(plain, number)
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

    /// Returns the path with a number before its extension.
    static func numbered(_ path: String, _ number: Int) -> String {
        let folder = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        guard let point = path[folder...].lastIndex(of: "."), point > folder else { return "\(path)-\(number)" }
        return "\(path[..<point])-\(number)\(path[point...])"
    }
}
