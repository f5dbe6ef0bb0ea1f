package import LocationCore
package import LocwatchSupport

/// A reader of a recording in pieces, which fails early if the input contains no report, whatever its length.
package struct RecordingReader: ~Copyable {
    /// The size of the pieces in which a file of another format is read: its points take more memory than their text.
    static let smallPiece = 32 * 1024

    private enum Format {
        case undecided(RecordingRecognizer, beginning: [UInt8])
        case session
        case other(any RecordingConversion)
    }

    /// The number of lines and bytes that are read without a report before the input is rejected.
    private static let limit = (lines: 200, bytes: 1 << 20)

    private let name: String
    private let includesLines: Bool
    private var format: Format
    /// The updates of gpsd's JSON.
    ///
    /// It keeps the updates before the first report, such as skipped lines, which are dropped if no report follows.
    var session: GPSDStream
    private var byteCount = 0

    package init(name: String, reading: InputReading = InputReading(), includesLines: Bool = false) {
        self.name = name
        self.includesLines = includesLines
        format = reading.recognizer.map { .undecided($0, beginning: []) } ?? .session
        session = GPSDStream(includesLines: includesLines)
    }

    /// The largest size of the next piece.
    var pieceSize: Int { if case .session = format { ReadAhead.chunk } else { Self.smallPiece } }

    /// Whether updates of the pieces so far are still to be emitted by `resume` before the next piece.
    var hasMore: Bool { if case .other(let conversion) = format { conversion.hasMore } else { false } }

    /// Appends some more updates of the pieces so far.
    mutating func resume(into updates: inout ReusedQueue<LocationUpdate>) throws(LocationError) {
        guard case .other(let conversion) = format else { return }
        try conversion.resume(includesLines: includesLines, into: &updates)
    }

    /// Appends what is held of a recording that breaks off, as a damaged file does; the error that follows says so, so that a torn
    /// line needs no notice.
    mutating func breakOff(into updates: inout ReusedQueue<LocationUpdate>) {
        guard case .session = format, session.tally.reports > 0 else { return }
        session.finish()
        while let update = session.next() {
            if case .notice(let notice) = update.event, case .tornEnd = notice.content { continue }
            updates.append(update)
        }
    }

    /// Reads the next piece, and throws once the input has proved not to be a session; an empty piece ends the
    /// recording.
    package mutating func read(
        _ piece: UnsafeRawBufferPointer, into updates: inout ReusedQueue<LocationUpdate>
    ) throws(LocationError) {
        switch format {
        case .session: try readSession(piece, into: &updates)
        case .other(let conversion): try conversion.convert(piece, includesLines: includesLines, into: &updates)
        case .undecided(let recognizer, let before):
            let beginning = before + piece
            switch try recognizer.format(of: beginning, isAtEnd: piece.isEmpty, named: name) {
            case .undecided:
                format = .undecided(recognizer, beginning: beginning)
                return
            case .session: format = .session
            case .other(let conversion): format = .other(conversion)
            }
            try beginning.withUnsafeBufferPointer { (beginning) throws(LocationError) in
                if !beginning.isEmpty { try read(UnsafeRawBufferPointer(beginning), into: &updates) }
            }
            while hasMore { try resume(into: &updates) }
            if piece.isEmpty { try read(piece, into: &updates) }
        }
    }

    private mutating func readSession(
        _ piece: UnsafeRawBufferPointer, into updates: inout ReusedQueue<LocationUpdate>
    ) throws(LocationError) {
        let hasReports = session.tally.reports > 0
        byteCount += piece.count
        if piece.isEmpty { session.finish() } else { session.feed(piece) }
        guard session.tally.reports > 0 else { return try check(hasEnded: piece.isEmpty) }
        // The error names the lines that a notice at the end would name.
        guard !piece.isEmpty || !hasReports || session.tally.isSession else {
            while session.next() != nil {}
            throw failure
        }
        session.moveUpdates(to: &updates)
    }

    private func check(hasEnded: Bool) throws(LocationError) {
        guard hasEnded || session.tally.lines > Self.limit.lines || byteCount > Self.limit.bytes else { return }
        throw failure
    }

    private var failure: LocationError { session.tally.noSession(named: name, isEmpty: byteCount == 0) }
}
