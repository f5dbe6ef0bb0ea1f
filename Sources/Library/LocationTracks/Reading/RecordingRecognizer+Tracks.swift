import LocationCore
package import GPSDProtocol

extension RecordingRecognizer {
    /// Returns a recognizer of tracks.
    ///
    /// - Parameters:
    ///   - times: The times for points without a time.
    ///   - interval: The time between two positions on the way from one point to the next, or `nil` for the points only.
    ///   - isRequired: Whether a file that is not a track is an error; otherwise it is read as a session.
    package static func tracks(
        _ times: TimelessPoints, every interval: Duration? = nil, isRequired: Bool = false
    ) -> RecordingRecognizer {
        RecordingRecognizer { (beginning, isWhole, name) throws(LocationError) in
            switch TrackKind.recognize(beginning, name: name) {
            case .track(let kind):
                return .other(try TrackConversion(kind, times: times, every: interval, name: name))
            case .undecided where !isWhole: return .undecided
            case .undecided, .other:
                if isRequired { throw .malformedTrack("it is not a track").ofTrack(name) }
                // A file with the name of a track and other content, such as an error page that a server has sent instead.
                if !beginning.isEmpty, beginning.first != UInt8(ascii: "{"), TrackKind.isNamed(by: name) {
                    let hasHeader = beginning.contains(UInt8(ascii: "\n")) && !beginning.contains(0)
                    let cause =
                        name.lowercased().hasSuffix(".csv") && hasHeader
                        ? "its first line names no columns for the latitude and the longitude, such as lat and lon"
                        : "it begins like no track"
                    throw .malformedTrack(cause).ofTrack(name)
                }
                return .session
            }
        }
    }
}
