import Foundation
import LocationCore
@testable import LocationTracks

/// A track as `TrackReader` reads it.
struct ReadTrack {
    /// The folder of the tracks of other programs.
    static let folder = URL(filePath: #filePath).appending(path: "../../../Tracks").standardizedFileURL

    /// The first second of the tracks in the tests.
    static let start = Timestamp(nanosecondsSince1970: 1_795_165_200_000_000_000)

    var elements: [ReadElement] = []
    /// The reason why reading ended, without the name of the file, if it did not reach the end.
    var fault: String?

    /// Reads bytes in pieces of the given size.
    init(
        _ bytes: [UInt8], named name: String = "track.gpx", speed: Double? = nil, pieces: Int = 32_768,
        memory: Int = 16 << 20
    ) {
        let (found, prefix) = (Found(), "cannot read the track \(name): ")
        do throws(LocationError) {
            let kind = bytes.withUnsafeBytes { TrackKind(beginning: $0, name: name) }
            guard let kind else { throw .malformedTrack("not recognized") }
            let reader = try TrackReader(
                kind, of: name, times: TimelessPoints(speed: speed, start: Self.start), memory: memory
            ) {
                found.elements.append($0)
            }
            for piece in stride(from: 0, to: bytes.count, by: pieces) {
                let result = bytes.withUnsafeBytes { bytes in
                    Result { () throws(LocationError) in
                        try reader.read(
                            UnsafeRawBufferPointer(rebasing: bytes[piece..<min(piece + pieces, bytes.count)]))
                        while reader.hasMore { try reader.resume() }
                    }
                }
                try result.get()
            }
            try reader.read(UnsafeRawBufferPointer(start: nil, count: 0))
        } catch {
            let message = error.description
            fault = message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
        }
        elements = found.elements
    }

    init(
        _ text: String, named name: String = "track.gpx", speed: Double? = nil, pieces: Int = 32_768,
        memory: Int = 16 << 20
    ) {
        self.init(Array(text.utf8), named: name, speed: speed, pieces: pieces, memory: memory)
    }

    private final class Found { var elements: [ReadElement] = [] }

    var points: [TrackPoint] { elements.compactMap { if case .point(let point) = $0 { point } else { nil } } }

    var messages: [String] { elements.compactMap { if case .message(let text) = $0 { text } else { nil } } }

    /// The words about content that is left out.
    var leftOut: [String] { elements.compactMap { if case .leftOut(let words) = $0 { words } else { nil } } }

    /// The number of each point's segment.
    var segments: [Int] {
        var segment = 1
        return elements.compactMap { element in
            switch element {
            case .point: return segment
            case .gap: segment += 1
            case .message, .leftOut: break
            }
            return nil
        }
    }

    /// The points as text: the segment, the seconds since the sample track's start, the latitude, longitude and altitude.
    var summary: [String] {
        zip(segments, points).map { segment, point in
            let location = point.location
            let seconds = location.timestamp.map { $0.since(ReadTrack.start).inSeconds }
            return [
                "\(segment)", seconds.map { "\($0)" } ?? "-", "\(location.coordinate.latitude)",
                "\(location.coordinate.longitude)", location.altitudeMSL.map { "\($0)" } ?? "-",
            ].joined(separator: " ")
        }
    }

    /// A GPX file with these elements within its root.
    static func gpx(_ inner: String, prolog: String = #"<?xml version="1.0" encoding="UTF-8"?>"#) -> String {
        prolog + #"<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">"# + inner + "</gpx>"
    }

    /// A GPX track with points at these seconds, the first at latitude 48.
    static func track(seconds: [Int]) -> String {
        "<trk><trkseg>"
            + seconds.map { second in
                let time = ReadTrack.start.advanced(by: .seconds(second))
                return "<trkpt lat=\"\(48 + Double(second) / 1000)\" lon=\"16\"><time>\(time)</time></trkpt>"
            }.joined() + "</trkseg></trk>"
    }
}
