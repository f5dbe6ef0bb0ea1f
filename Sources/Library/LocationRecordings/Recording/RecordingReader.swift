package import LocationCore

/// A reader of a recording in pieces, which fails early if the input contains no report, whatever its length.
package struct RecordingReader {
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
    /// The reader of gpsd's JSON.
    var session: SessionReader
    private var byteCount = 0
    /// The updates before the first report, such as skipped lines, which are dropped if no report follows.
    private var held: [LocationUpdate] = []

    package init(name: String, reading: InputReading = InputReading(), includesLines: Bool = false) {
        self.name = name
        self.includesLines = includesLines
        format = reading.recognizer.map { .undecided($0, beginning: []) } ?? .session
        session = SessionReader(includesLines: includesLines)
    }

    /// The largest size of the next piece.
    var pieceSize: Int { if case .session = format { ReadAhead.chunk } else { Self.smallPiece } }

    /// Whether updates of the pieces so far are still to be emitted by `resume` before the next piece.
    var hasMore: Bool { if case .other(let conversion) = format { conversion.hasMore } else { false } }

    /// Emits some more updates of the pieces so far.
    mutating func resume(_ emit: (LocationUpdate) -> Void) throws(LocationError) {
        guard case .other(let conversion) = format else { return }
        try conversion.resume(includesLines: includesLines, emit: emit)
    }

    /// Emits what is held of a recording that breaks off, as a damaged file does; the error that follows says so, so that a torn line
    /// needs no notice.
    mutating func breakOff(_ emit: (LocationUpdate) -> Void) {
        guard case .session = format, session.tally.reports > 0 else { return }
        session.finish { update in
            if case .notice(let notice) = update.event, case .tornEnd = notice.content { return }
            emit(update)
        }
    }

    /// Reads the next piece, and throws once the input has proved not to be a session; an empty piece ends the
    /// recording.
    package mutating func read(
        _ piece: UnsafeRawBufferPointer, _ emit: (LocationUpdate) -> Void
    ) throws(LocationError) {
        switch format {
        case .session: try readSession(piece, emit)
        case .other(let conversion): try conversion.convert(piece, includesLines: includesLines, emit: emit)
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
                if !beginning.isEmpty { try read(UnsafeRawBufferPointer(beginning), emit) }
            }
            while hasMore { try resume(emit) }
            if piece.isEmpty { try read(piece, emit) }
        }
    }

    private mutating func readSession(
        _ piece: UnsafeRawBufferPointer, _ emit: (LocationUpdate) -> Void
    ) throws(LocationError) {
        if session.tally.reports > 0 {
            guard piece.isEmpty else { return process(piece[...], emit) }
            var last: [LocationUpdate] = []
            process(piece[...]) { last.append($0) }
            // The error names the lines that a notice at the end would name.
            if !session.tally.isSession { throw failure }
            for update in last { emit(update) }
            return
        }
        byteCount += piece.count
        var held: [LocationUpdate] = []
        swap(&held, &self.held)
        var rest = piece[...]
        // Line by line until there is a report, which usually is the first line.
        repeat {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
            process(rest[..<end]) { held.append($0) }
            rest = rest[end...]
        } while session.tally.reports == 0 && !rest.isEmpty
        if session.tally.reports > 0 {
            for update in held { emit(update) }
            if !rest.isEmpty { process(rest, emit) }
        } else {
            swap(&held, &self.held)
            try check(hasEnded: piece.isEmpty)
        }
    }

    private mutating func process(_ piece: Slice<UnsafeRawBufferPointer>, _ emit: (LocationUpdate) -> Void) {
        if piece.isEmpty { session.finish(emit) } else { session.read(UnsafeRawBufferPointer(rebasing: piece), emit) }
    }

    private func check(hasEnded: Bool) throws(LocationError) {
        guard hasEnded || session.tally.lines > Self.limit.lines || byteCount > Self.limit.bytes else { return }
        throw failure
    }

    private var failure: LocationError { session.tally.noSession(named: name, isEmpty: byteCount == 0) }
}
