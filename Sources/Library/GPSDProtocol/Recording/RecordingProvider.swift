import Glibc
public import LocationCore
import LocwatchPlatform
import LocwatchSupport

/// A provider that writes the sessions of another provider to a file, as recordings.
///
/// ```swift
/// let source = GPSDLocationSource().recording(to: "Fixtures/drive.json")
/// for try await location in source.locations() { … }
/// ```
///
/// Only the lines of gpsd can be recorded: from a provider without lines, such as a script, the recording has only its
/// header.
public struct RecordingProvider: LocationProvider {
    fileprivate let base: any LocationProvider
    fileprivate let path: String
    fileprivate let source: String

    /// Returns the events of one session of the other provider, which replaces the file when it starts.
    ///
    /// A failure to write ends the session with an error of the code `recording`.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        var withLines = request
        withLines.includesLines = true
        let (path, source) = (path, source)
        return base.updates(for: withLines).passed { beginning in
            let file = RecordedFile(path, source: source, start: beginning)
            return SessionOperator { (update) throws(LocationError) in
                guard case .line(let line) = update.event else { return update }
                try file.append(line, at: update.moment)
                return request.includesLines ? update : nil
            } end: {
                file.close()
            }
        }
    }
}

extension LocationProvider {
    /// Returns this provider with each session written to a file, as a recording that `ReplayProvider` can play.
    ///
    /// - Parameters:
    ///   - path: The file. Each session replaces it; use a separate path for each session to keep.
    ///   - source: A description of the origin, for the header of the recording.
    public func recording(to path: String, source: String = "recorded by an application") -> RecordingProvider {
        RecordingProvider(base: self, path: path, source: source)
    }
}

/// The file of one recorded session.
private final class RecordedFile: Sendable {
    private struct Content: Sendable {
        var descriptor: Int32
        var writer = RecordingWriter()
        var failure: LocationError?
    }

    private let path: String
    private let content: Lock<Content>

    init(_ path: String, source: String, start: Moment) {
        self.path = path
        var content = Content(descriptor: open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666))
        if content.descriptor < 0 {
            content.failure = Self.failure("create", path, errno)
        } else {
            content.failure = Self.write(
                content.writer.header(source: source, version: "0", at: start), to: content.descriptor, path)
        }
        self.content = Lock(content)
    }

    deinit { close() }

    func append(_ line: [UInt8], at moment: Moment) throws(LocationError) {
        try content.withLock { (content) throws(LocationError) in
            if let failure = content.failure { throw failure }
            content.failure = Self.write(content.writer.record(line, at: moment), to: content.descriptor, path)
            if let failure = content.failure { throw failure }
        }
    }

    func close() {
        content.withLock { content in
            guard content.descriptor >= 0 else { return }
            Glibc.close(content.descriptor)
            content.descriptor = -1
            content.failure = .unwritable(path: path, cause: "the recording is closed")
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) -> LocationError? {
        bytes.withUnsafeBytes { WholeWrite.write($0, to: descriptor) }.map { failure("write", path, $0) }
    }

    private static func failure(_ attempt: String, _ path: String, _ code: Int32) -> LocationError {
        .unwritable(path: path, cause: SystemFailure(attempt, code: code).reason)
    }
}
