package import LocationCore
package import LocwatchSupport

/// The updates of a stream of gpsd's JSON, live or recorded: bytes go in, and updates come out.
///
/// The owner feeds the bytes as they come, and takes the updates with `next` until there are none. A live stream gets the moment of each
/// chunk; a recording tells the moments itself, by stamps before the lines, marks between them, or the reports' own times. A line that
/// cannot be decoded is skipped and reported by a notice; the lines after it are not affected.
///
/// It has no clock, and cannot be copied: it holds so much that a copy at each look for its deadline would take a twentieth of a
/// session's instructions.
package struct GPSDStream: ~Copyable {
    /// The length from which a line is reported without waiting for its end.
    private static let endlessLine = 1 << 20
    /// The longest time in seconds for which a recording can call a position current without a new one.
    private static let longestStaleAfter = 86_400.0

    private let includesLines: Bool
    private var lines = LineReader()
    private var decoder = ReportDecoder()
    private var translator: ReportTranslator
    private var epochs = EpochAssembler()
    private var dating = Dating()
    private var skipped = (count: 0, cause: "")
    /// Whether the line that is being skipped has been counted.
    private var isSkipAnnounced = false

    package private(set) var tally = LineTally()
    /// Whether there were parts of epochs in the bytes that were fed last, which may be emitted later.
    package private(set) var hasParts = false

    /// Creates a stream of a live connection, or of a recording without one.
    package init(of connection: LiveConnection? = nil, listsSatellites: Bool = true, includesLines: Bool = false) {
        self.includesLines = includesLines
        translator = ReportTranslator(listsSatellites: listsSatellites)
        translator.connection = connection
        epochs.watched = connection?.device
    }

    // MARK: Input

    /// Reads the next bytes.
    ///
    /// - Parameters:
    ///   - arrival: The moment at which the bytes of a live session arrived.
    ///   - isBacklog: Whether they were buffered while the process was paused, so that their positions are late.
    package mutating func feed(
        _ chunk: UnsafeRawBufferPointer, at arrival: Moment? = nil, isBacklog: Bool = false
    ) {
        dating.arrival = arrival
        translator.isBacklog = isBacklog
        let parts = epochs.partCount
        var place = 0
        while let line = lines.next(in: chunk, from: &place) { process(line) }
        announceEndlessLine()
        if arrival != nil { emitSkipped() }
        hasParts = epochs.partCount != parts
    }

    /// Reads the last line, complete or torn, after the last bytes.
    package mutating func finish(at arrival: Moment? = nil) {
        dating.arrival = arrival
        if let line = lines.last() { process(last: line) }
        emitSkipped()
        release()
        epochs.finish(at: dating.moment ?? .unknown)
    }

    /// Emits the epochs whose deadline has passed.
    package mutating func expire(at moment: Moment) { epochs.expire(at: moment) }

    /// The moment at which `expire` must be called if nothing arrives before.
    ///
    /// It is mutating, because a call that changes nothing copies the stream.
    package var deadline: Moment? { mutating get { epochs.deadline } }

    /// The moment of the last line of a recording, if it is known.
    package var now: Moment? { dating.now }

    /// Whether updates wait for the recording's first time.
    package var isUndated: Bool { dating.isHolding }

    /// Advances to the host's time while a recording from a pipe has none of its own, and emits the waiting updates.
    package mutating func pass(to moment: Moment) {
        dating.pass(to: moment)
        release()
    }

    /// Emits a notice about the next bytes of a recording.
    package mutating func note(_ notice: Notice) { emit(.notice(notice)) }

    // MARK: Output

    /// Returns the next update, or `nil` if there is none yet.
    package mutating func next() -> LocationUpdate? { epochs.updates.popFirst() }

    /// Moves all updates to the end of a queue, at once if that is empty.
    package mutating func moveUpdates(to queue: inout ReusedQueue<LocationUpdate>) {
        queue.append(movingAllOf: &epochs.updates)
    }

    // MARK: Lines

    private mutating func process(_ line: LineReader.Line) {
        tally.noteLine()
        switch line {
        case .tooLong(let bytes):
            if isSkipAnnounced {
                isSkipAnnounced = false
                return
            }
            skip("a line of \(bytes) bytes is too long")
        case .line(let bytes):
            if bytes.isEmpty { return }
            // Each line of a live session begins with its object.
            let (stamp, json) = bytes.first == UInt8(ascii: "{") ? (nil, bytes) : ArrivalStamp.part(bytes)
            do throws(ReportError) {
                let report = try decoder.decode(json)
                tally.note(report)
                emitSkipped()
                if let arrival = dating.arrival {
                    if includesLines { emit(.line(Array(bytes))) }
                    translator.translate(report, at: arrival, to: &epochs)
                } else {
                    process(report, of: bytes, stamp: stamp)
                }
            } catch  where error.kind == .empty {
                return
            } catch {
                if includesLines { emit(.line(Array(bytes))) }
                // `gpspipe -r -w` writes the receiver's sentences between the reports; skipping them loses nothing.
                let isSentence = ArrivalStamp.hasSentence(bytes)
                skip("\(error)", isLost: !isSentence)
            }
        }
    }

    /// Processes a report of a recording.
    private mutating func process(_ report: GPSDReport, of line: UnsafeRawBufferPointer, stamp: Timestamp?) {
        dating.follow(report, stamp: stamp)
        if case .mark(let mark) = report { return process(mark, of: line) }
        if dating.isDue { release() }
        translator.hasArrivals = dating.isStamped
        guard let moment = dating.moment else {
            dating.hold(report, line: includesLines ? Array(line) : [], bytes: line.count)
            if dating.isDue { release() }
            return
        }
        if includesLines { epochs.process(.line(Array(line)), at: moment) }
        translator.translate(report, at: moment, to: &epochs)
    }

    private mutating func process(_ mark: RecordingMark, of line: UnsafeRawBufferPointer) {
        if mark.fleet == true {
            translator.admitMachines()
            epochs.isOfFleet = true
        }
        guard let seconds = mark.staleAfter, seconds > 0 else { return }
        if includesLines { emit(.line(Array(line))) }
        emit(.notice(.staleAfter(.seconds(min(seconds, Self.longestStaleAfter)))))
    }

    /// Processes the last line, which may be torn.
    private mutating func process(last line: LineReader.Line) {
        guard case .line(let bytes) = line else { return process(line) }
        do throws(ReportError) {
            _ = try decoder.decode(ArrivalStamp.part(bytes).json)
            process(line)
        } catch  where error.kind == .empty {
            return
        } catch {
            emitSkipped()
            tally.noteLine()
            emit(.notice(.tornEnd(bytes: bytes.count)))
        }
    }

    /// Emits what has waited for the recording's first time, with the current one.
    private mutating func release() {
        let waiting = dating.release()
        let moment = dating.moment ?? .unknown
        for waiting in waiting {
            switch waiting {
            case .report(let report, let line):
                if !line.isEmpty { epochs.process(.line(line), at: moment) }
                translator.translate(report, at: moment, to: &epochs)
            case .event(let event): epochs.process(event, at: moment)
            }
        }
    }

    private mutating func emit(_ event: LocationEvent) {
        if let moment = dating.moment { return epochs.process(event, at: moment) }
        dating.hold(event)
        if dating.isDue { release() }
    }

    // MARK: Faults

    /// Counts a line that is too long before its end arrives, because the end may never arrive.
    private mutating func announceEndlessLine() {
        guard lines.skipped >= Self.endlessLine, !isSkipAnnounced else { return }
        isSkipAnnounced = true
        let cause = "has no end within \(Self.endlessLine) bytes"
        tally.note(fault: "a line \(cause)")
        if skipped.count == 0 { skipped.cause = "line \(tally.lines + 1): it \(cause)" }
        skipped.count += 1
    }

    /// Counts the current line as one that is no report, and that something was lost with it, unless it is a sentence.
    private mutating func skip(_ cause: @autoclosure () -> String, isLost: Bool = true) {
        tally.note(fault: cause())
        guard isLost else { return }
        if skipped.count == 0 { skipped.cause = "line \(tally.lines): \(cause())" }
        skipped.count += 1
    }

    private mutating func emitSkipped() {
        guard skipped.count > 0 else { return }
        emit(.notice(.linesSkipped(count: skipped.count, cause: skipped.cause)))
        skipped = (0, "")
    }
}
