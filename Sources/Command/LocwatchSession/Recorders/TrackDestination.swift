import Glibc
package import LocationCore
package import LocationTracks
package import LocwatchArguments
package import LocwatchTerminal

/// The destination of `export`, which determines the treatment of an existing file.
///
/// A live session is logged, and an existing log is resumed. A recording is converted: its file appears when it is
/// complete, and replaces an existing one only with `--force`.
package enum TrackDestination: Hashable {
    case output
    /// A special file, such as /dev/null or a named pipe.
    case special(path: String)
    case document(path: String)
    case journal(pattern: String, isLog: Bool)

    package init(_ source: SourceWord, _ settings: Settings) {
        guard let path = settings.file.path, path != "-" else {
            self = .output
            return
        }
        var status = stat()
        let kind = stat(path, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
        if kind != S_IFREG, kind != S_IFDIR {
            self = .special(path: path)
        } else if source.isWhole, settings.file.rotation == nil, !path.contains("%") {
            self = .document(path: path)
        } else {
            self = .journal(pattern: path, isLog: source.isLive)
        }
    }

    /// Whether a log can continue in files of other names.
    package var canRotate: Bool {
        switch self {
        case .output, .special: false
        case .document, .journal: true
        }
    }

    package var receiverLimit: Int {
        switch self {
        case .output, .special, .document: 10_000
        case .journal: TrackJournals.mostReceivers
        }
    }

    /// Opens the destination; tracks of several receivers wait in `temporaryFolder` until they are written one after
    /// another.
    package func open(
        _ format: TrackFormat, _ settings: Settings, _ source: SourceWord, output: Int32, now: Timestamp,
        temporaryFolder: String
    ) throws(OutputFailure) -> any TrackSink {
        var chosen = TrackFormat.Options(name: source.trackName, namesStart: true, columns: settings.output.columns)
        if let sentences = settings.output.sentences { chosen.sentences = sentences }
        chosen.omitsHeader = settings.output.omitsHeader
        chosen.usesUTC = settings.output.usesUTC
        let options = chosen
        func text() throws(OutputFailure) -> any TrackText {
            settings.output.events.everyReceiver
                ? try ReceiverTrackText(format, options, folder: temporaryFolder) : TrackStream(format, options)
        }
        let everyReceiver = settings.output.events.everyReceiver
        switch self {
        case .output: return try TrackOutput(output, text(), isOwned: false)
        case .special(let path):
            let descriptor = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
            guard descriptor >= 0 else { throw .track(.system(attempt: "open", path: path, code: errno)) }
            return try TrackOutput(descriptor, text(), isOwned: true)
        case .document(let path):
            var status = stat()
            // A folder is not replaced either, for which the document has its own error.
            if !settings.file.overwrites, stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
                throw .track(.exists(path: path))
            }
            return try TrackOutput(path, text())
        case .journal(let pattern, let isLog):
            return try TrackJournals(
                pattern, everyReceiver: everyReceiver, start: isLog ? now : nil
            ) { path, device in
                var options = options
                options.device = device
                let durability: TrackFile.Durability? =
                    if isLog { .powerCut } else if source.isWhole { nil } else { .kill }
                let kept: TrackFile.Existing = isLog ? .continued : .refused
                return TrackLog(
                    path, format, options, rotation: settings.file.rotation,
                    existing: settings.file.overwrites ? .replaced : kept, durability: durability,
                    separator: everyReceiver ? TrackJournals.numberSeparator : "-")
            }
        }
    }
}

extension SourceWord {
    /// Whether the session is a file, and therefore complete.
    fileprivate var isWhole: Bool { recording?.size != nil }

    /// The name of a track from this source, without the folder of a file, which is private.
    fileprivate var trackName: String {
        isLive ? place : place.split(separator: "/").last.map(String.init) ?? place
    }
}
