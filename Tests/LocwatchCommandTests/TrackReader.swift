import Foundation
import Testing

/// The positions of a track file as an independent program reads them.
enum TrackReader {
    struct Point: Equatable {
        var segment: Int
        var time: String
        var latitude: Double
        var longitude: Double
    }

    static func read(_ file: URL, by reader: String) throws -> [Point] {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Oracles/read_track.py")
            .standardizedFileURL.path
        let tool = try Tool("/usr/bin/python3", [script, reader, file.path])
        try #require(tool.status == 0, "\(reader): \(tool.errors)")
        return try tool.output.split(separator: "\n").map { line in
            let fields = line.split(separator: "\t").map(String.init)
            return Point(
                segment: try #require(Int(fields[0])), time: fields[1], latitude: try #require(Double(fields[2])),
                longitude: try #require(Double(fields[3])))
        }
    }
}
