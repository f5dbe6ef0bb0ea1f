import GPSDReports
import LocationCore

/// The conversion of a track into the reports of a receiver that was at its points.
///
/// A mark comes first: a track itself says where it is interrupted, and its points can be far apart.
/// Each point is a `TPV`, after a `SKY` of the same time if it has figures of the satellites. The end of a segment is a
/// `TPV` without a fix.
final class TrackConversion: RecordingConversion {
    /// The target of the reader's elements during a call of `convert`.
    private final class Target { var process: ((ReadElement) -> Void)? }

    private let name: String
    private let reader: TrackReader
    private let target: Target
    private var lines = TrackLines()
    private var hasBegun = false

    /// Creates a conversion; `name` is that of the file in errors.
    init(_ kind: TrackKind, times: TimelessPoints, name: String) throws(TrackFault) {
        let target = Target()
        self.name = name
        self.target = target
        reader = try TrackReader(kind, times: times) { target.process?($0) }
    }

    var hasMore: Bool { reader.hasMore }

    func convert(
        _ piece: UnsafeRawBufferPointer, includesLines: Bool, emit: (GPSDReport, [UInt8]) -> Void
    ) throws(LocationError) {
        if !hasBegun {
            hasBegun = true
            var mark = RecordingMark()
            mark.staleAfter = TrackProvider.longestInterval / .seconds(1)
            emit(.mark(mark), includesLines ? TrackLines.beginning : [])
        }
        try perform(includesLines, emit) { (reader) throws(TrackFault) in try reader.read(piece) }
    }

    func resume(includesLines: Bool, emit: (GPSDReport, [UInt8]) -> Void) throws(LocationError) {
        try perform(includesLines, emit) { (reader) throws(TrackFault) in try reader.resume() }
    }

    private func perform(
        _ includesLines: Bool, _ emit: (GPSDReport, [UInt8]) -> Void,
        _ step: (TrackReader) throws(TrackFault) -> Void
    ) throws(LocationError) {
        let result = withoutActuallyEscaping(emit) { emit in
            target.process = { [unowned self] element in
                var lines = includesLines ? self.lines.lines(of: element)[...] : []
                element.forEachReport { emit($0, lines.popFirst() ?? []) }
            }
            defer { target.process = nil }
            return Result { () throws(TrackFault) in try step(reader) }
        }
        do throws(TrackFault) { try result.get() } catch { throw LocationError(error, of: name) }
    }
}

extension ReadElement {
    /// Passes on the reports of a receiver, in the order of the lines of `TrackLines`.
    fileprivate func forEachReport(_ emit: (GPSDReport) -> Void) {
        switch self {
        case .point(let point):
            if point.location.fix != .none, let sky = SKYReport(point) { emit(.sky(sky)) }
            emit(.tpv(.report(of: point.location)))
        case .gap(let time, let device): emit(.tpv(TPVReport(at: time, of: device)))
        case .message(let text):
            var mark = RecordingMark()
            mark.message = text
            emit(.mark(mark))
        }
    }
}

extension TPVReport {
    /// Creates a report without a fix.
    fileprivate init(at time: Timestamp?, of device: String?) {
        self.init()
        self.device = device
        self.time = time
        mode = 1
    }

    /// Returns the report of a location; an initializer would copy the report several times.
    fileprivate static func report(of location: Location) -> TPVReport {
        var report = TPVReport(at: location.timestamp, of: location.device)
        guard location.fix != .none else { return report }
        report.mode = location.fix == .threeD ? 3 : 2
        if location.quality != .ordinary { report.status = location.quality.gpsdStatus }
        report.lat = location.coordinate.latitude
        report.lon = location.coordinate.longitude
        report.datum = location.details?.datum
        location.forEachNumber { place, _, number in report[number: place] = number }
        return report
    }
}

extension SKYReport {
    /// Creates the report of a point's satellites, or returns `nil` if nothing is known about them.
    fileprivate init?(_ point: TrackPoint) {
        if point.seen == nil, point.used == nil, point.dilution == DilutionOfPrecision() { return nil }
        self.init()
        nSat = point.seen
        uSat = point.used
        dilution = point.dilution
        device = point.location.device
        time = point.location.timestamp
    }
}
