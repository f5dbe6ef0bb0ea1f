import LocationCore
@testable import GPSDProtocol

@testable import LocationGPSD

/// The lines and the positions of a session of a raw log, or its error.
struct PlayedLog {
    var lines: [String] = []
    var positions: [LiveReceiver.Position] = []
    var moments: [Moment] = []
    var notices: [Notice.NoticeContent] = []
    var failure: LocationError?

    /// The cause of the failure, if the source is damaged.
    var damage: String? { if case .damaged(_, let cause)? = failure { cause } else { nil } }

    /// Plays a log to its end.
    init(_ source: RecordingSource, _ decoder: RawLogDecoder = RawLogDecoder(), floor: Int? = nil) async {
        do throws(LocationError) {
            let provider = Self.provider(source, decoder, floor: floor)
            var iterator = provider.updates(for: LocationRequest(includesLines: true)).makeAsyncIterator()
            while let update = try await iterator.next() {
                if case .line(let line) = update.event { lines.append(String(decoding: line, as: UTF8.self)) }
                if let notice = update.event.notice { notices.append(notice) }
                guard let location = update.location else { continue }
                let position = LiveReceiver.Position(
                    latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
                    mode: location.fix.rawValue)
                if positions.last != position { positions.append(position) }
                moments.append(update.moment)
            }
        } catch {
            failure = error
        }
    }

    /// Returns the provider of a log.
    ///
    /// - Parameter floor: The size that any input, and a log, may expand to, or `nil` for the usual one.
    static func provider(
        _ source: RecordingSource, _ decoder: RawLogDecoder = RawLogDecoder(), floor: Int? = nil
    ) -> ReplayProvider {
        var reading = InputReading()
        if let floor { (reading.expansion.floor, reading.expansion.floorOfLog) = (floor, floor) }
        reading.logDecoder = decoder
        return ReplayProvider(source, pace: .max, reading: reading, options: SessionOptions())
    }
}
