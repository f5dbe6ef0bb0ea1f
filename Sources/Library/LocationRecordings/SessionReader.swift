package import LocationCore
package import LocwatchSupport

/// A reader that turns the bytes of a session, live or recorded, into updates.
///
/// A line that cannot be decoded is skipped and reported by a notice; the lines after it are not affected.
///
/// It cannot be copied: it holds so much that a copy at each look for its deadline would take a twentieth of a session's instructions.
package struct SessionReader: ~Copyable, Sendable {
    /// The number of reports and events that wait for the recording's first time before it is taken to have none.
    private static let undatedLimit = 256
    /// The number of bytes of their lines: the reports of long lines take much memory.
    private static let undatedBytesLimit = 1 << 20
    /// The length from which a line is reported without waiting for its end.
    private static let endlessLine = 1 << 20
    /// The longest time in seconds for which a recording can call a position current without a new one.
    private static let longestStaleAfter = 86_400.0

    private let includesLines: Bool
    private var lines = LineReader()
    private var decoder = ReportDecoder()
    private var translator: ReportTranslator
    private var epochs = EpochAssembler()
    private var clock = RecordingClock()
    private var undated: [Waiting]? = []
    private var undatedCount = 0
    private var undatedBytes = 0
    private var skipped = (count: 0, cause: "")
    /// Whether the line that is being skipped has been counted.
    private var isSkipAnnounced = false

    /// A report with its line, if lines are included, or an event, whose moment is not known yet.
    private enum Waiting {
        case report(GPSDReport, line: [UInt8])
        case event(LocationEvent)

        /// Whether it counts towards the limit; a line that is skipped does not.
        var counts: Bool { if case .event(.line) = self { false } else { true } }
    }

    package private(set) var tally = LineTally()

    /// Creates a reader of a live connection, or of a recording without one.
    package init(of connection: LiveConnection? = nil, listsSatellites: Bool = true, includesLines: Bool = false) {
        self.includesLines = includesLines
        translator = ReportTranslator(listsSatellites: listsSatellites)
        translator.connection = connection
        epochs.watched = connection?.device
    }

    /// The number of parts of epochs, whose positions and satellites may be emitted later.
    package var partCount: Int { epochs.partCount }

    /// Whether the bytes of a live session were buffered while the process was paused, so that their positions are late.
    package var isBacklog: Bool {
        get { translator.isBacklog }
        set { translator.isBacklog = newValue }
    }

    /// Reads the next bytes, and appends the updates that follow from them; `arrival` is their arrival time in a live session.
    ///
    /// Without it the recording itself tells the moments: stamps before the lines, marks between them, or the reports' own times.
    package mutating func read(
        _ chunk: UnsafeRawBufferPointer, arrival: Moment? = nil, into updates: inout ReusedQueue<LocationUpdate>
    ) {
        swap(&updates, &epochs.updates)
        defer { swap(&updates, &epochs.updates) }
        // Moved out of `self` while it runs, because its body mutates the rest of the reader.
        var lines = LineReader()
        swap(&lines, &self.lines)
        lines.feed(chunk) { line in process(line, arrival: arrival) }
        swap(&lines, &self.lines)
        announceEndlessLine()
        if arrival != nil { emitSkipped(arrival) }
    }

    /// Reads the last line, complete or torn, after the last bytes.
    package mutating func finish(arrival: Moment? = nil, into updates: inout ReusedQueue<LocationUpdate>) {
        swap(&updates, &epochs.updates)
        defer { swap(&updates, &epochs.updates) }
        var lines = LineReader()
        swap(&lines, &self.lines)
        lines.finish { line in
            guard case .line(let bytes) = line else { return process(line, arrival: arrival) }
            do throws(ReportError) {
                _ = try decoder.decode(ArrivalStamp.part(bytes).json)
                process(line, arrival: arrival)
            } catch  where error.kind == .empty {
                return
            } catch {
                emitSkipped(arrival)
                tally.noteLine()
                emit(.notice(.tornEnd(bytes: bytes.count)), at: arrival)
            }
        }
        emitSkipped(arrival)
        flush()
        if let moment = arrival ?? clock.now ?? (epochs.deadline == nil ? nil : .unknown) {
            epochs.finish(at: moment)
        }
    }

    /// The moment of the last line of a recording, if it is known.
    package var now: Moment? { clock.now }

    /// The moment at which `expire` must be called if nothing arrives before.
    package var deadline: Moment? { epochs.deadline }

    /// Emits the epochs whose deadline has passed.
    package mutating func expire(at moment: Moment, into updates: inout ReusedQueue<LocationUpdate>) {
        swap(&updates, &epochs.updates)
        defer { swap(&updates, &epochs.updates) }
        epochs.expire(at: moment)
    }

    /// Whether updates wait for the recording's first time.
    package var isUndated: Bool { !(undated ?? []).isEmpty }

    /// Advances to the host's time while a recording from a pipe has none of its own, and emits the waiting updates.
    package mutating func pass(to moment: Moment, into updates: inout ReusedQueue<LocationUpdate>) {
        swap(&updates, &epochs.updates)
        defer { swap(&updates, &epochs.updates) }
        clock.pass(to: moment)
        flush()
    }

    private mutating func process(_ line: LineReader.Line, arrival: Moment?) {
        tally.noteLine()
        switch line {
        case .tooLong(let bytes):
            if isSkipAnnounced {
                isSkipAnnounced = false
                return
            }
            tally.note(fault: "a line of \(bytes) bytes is too long")
            skip("a line of \(bytes) bytes is too long")
        case .line(let bytes):
            if bytes.isEmpty { return }
            // Each line of a live session begins with its object.
            let (stamp, json) = bytes.first == UInt8(ascii: "{") ? (nil, bytes) : ArrivalStamp.part(bytes)
            do throws(ReportError) {
                let report = try decoder.decode(json)
                tally.note(report)
                emitSkipped(arrival)
                if let arrival {
                    if includesLines { emit(.line(Array(bytes)), at: arrival) }
                    translator.translate(report, at: arrival, to: &epochs)
                } else {
                    follow(report, of: bytes, stamp: stamp)
                }
            } catch  where error.kind == .empty {
                return
            } catch {
                if includesLines { emit(.line(Array(bytes)), at: arrival) }
                tally.note(fault: "\(error)")
                // `gpspipe -r -w` writes the receiver's sentences between the reports; skipping them loses nothing.
                if !ArrivalStamp.hasSentence(bytes) { skip("\(error)") }
            }
        }
    }

    /// Processes a report of a recording.
    private mutating func follow(_ report: GPSDReport, of line: UnsafeRawBufferPointer, stamp: Timestamp?) {
        clock.follow(report, stamp: stamp)
        if case .mark(let mark) = report {
            if mark.fleet == true {
                translator.admitMachines()
                epochs.isOfFleet = true
            }
            if let seconds = mark.staleAfter, seconds > 0 {
                if includesLines { emit(.line(Array(line)), at: nil) }
                emit(.notice(.staleAfter(.seconds(min(seconds, Self.longestStaleAfter)))), at: nil)
            }
            return
        }
        if clock.now != nil { flush() }
        translator.hasArrivals = clock.isStamped
        guard let now = clock.now ?? (undated == nil ? .unknown : nil) else {
            keep(.report(report, line: includesLines ? Array(line) : []), bytes: line.count)
            return
        }
        if includesLines { epochs.process(.line(Array(line)), at: now) }
        translator.translate(report, at: now, to: &epochs)
    }

    /// Holds a report or event until the recording's first time.
    private mutating func keep(_ waiting: Waiting, bytes: Int = 0) {
        undated?.append(waiting)
        if waiting.counts { undatedCount += 1 }
        undatedBytes += bytes
        if undatedCount >= Self.undatedLimit || undatedBytes >= Self.undatedBytesLimit { flush() }
    }

    /// Emits the held reports and events with the current time.
    private mutating func flush() {
        guard let waiting = undated else { return }
        undated = nil
        let moment = clock.now ?? .unknown
        for waiting in waiting {
            switch waiting {
            case .report(let report, let line):
                if !line.isEmpty { epochs.process(.line(line), at: moment) }
                translator.translate(report, at: moment, to: &epochs)
            case .event(let event): epochs.process(event, at: moment)
            }
        }
    }

    /// Counts a line that is too long before its end arrives, because the end may never arrive.
    private mutating func announceEndlessLine() {
        guard lines.skipped >= Self.endlessLine, !isSkipAnnounced else { return }
        isSkipAnnounced = true
        tally.note(fault: "a line has no end within \(Self.endlessLine) bytes")
        if skipped.count == 0 {
            skipped.cause = "line \(tally.lines + 1): it has no end within \(Self.endlessLine) bytes"
        }
        skipped.count += 1
    }

    private mutating func skip(_ cause: @autoclosure () -> String) {
        if skipped.count == 0 { skipped.cause = "line \(tally.lines): \(cause())" }
        skipped.count += 1
    }

    /// Emits a notice about the next bytes of a recording.
    package mutating func note(_ notice: Notice, into updates: inout ReusedQueue<LocationUpdate>) {
        swap(&updates, &epochs.updates)
        defer { swap(&updates, &epochs.updates) }
        emit(.notice(notice), at: nil)
    }

    private mutating func emitSkipped(_ arrival: Moment?) {
        guard skipped.count > 0 else { return }
        emit(.notice(.linesSkipped(count: skipped.count, cause: skipped.cause)), at: arrival)
        skipped = (0, "")
    }

    private mutating func emit(_ event: LocationEvent, at arrival: Moment?) {
        if arrival == nil, clock.now == nil, undated != nil {
            keep(.event(event))
        } else {
            epochs.process(event, at: arrival ?? clock.now ?? .unknown)
        }
    }
}
