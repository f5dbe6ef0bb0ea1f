import LocationCore
import Testing

@testable import LocationRecordings

/// A translator that processes one line at a time, with a clock that advances on request.
///
/// Its positions are parts of epochs.
struct Session {
    private var translator: ReportTranslator
    private var decoder = ReportDecoder()
    private(set) var now = Moment(elapsed: .zero, wall: time("09:00:00"))

    init(listsSatellites: Bool = true, isLive: Bool = false) {
        translator = ReportTranslator(listsSatellites: listsSatellites)
        if isLive { translator.connection = LiveConnection(to: "localhost", isLocal: false) }
    }

    /// Returns the events that follow from a line.
    mutating func hear(_ line: String, after pause: Duration = .zero) -> [LocationEvent] {
        now = now.advanced(by: pause)
        return contents(line).map { content in
            switch content {
            case .event(let event): event
            case .position(let event, _, _): event
            }
        }
    }

    /// Returns what a line says.
    mutating func contents(_ line: String) -> [ReportContent] {
        var contents: [ReportContent] = []
        do throws(ReportError) {
            translator.translate(try decoder.decode(line), at: now) { contents.append($0) }
        } catch {
            Issue.record("\(error): \(line)")
        }
        return contents
    }

    /// Returns the locations that follow from a line.
    mutating func locations(_ line: String, after pause: Duration = .zero) -> [Location] {
        hear(line, after: pause).compactMap(\.location)
    }
}

extension LocationEvent {
    /// The same event without its list of satellites, if any.
    var withoutList: LocationEvent {
        guard case .satellites(var sky) = self else { return self }
        sky.satellites = nil
        sky.figures = nil
        return .satellites(sky)
    }

    var status: DeviceStatus? { if case .device(let status) = self { status } else { nil } }
}
