package import Foundation
import Testing

/// The positions of a track file as an independent program reads them.
package enum TrackReader {
    package struct Point: Equatable {
        package var segment: Int
        package var time: String
        package var latitude: Double
        package var longitude: Double

        package init(segment: Int, time: String, latitude: Double, longitude: Double) {
            (self.segment, self.time, self.latitude, self.longitude) = (segment, time, latitude, longitude)
        }
    }

    package static func read(_ file: URL, by reader: String) throws -> [Point] {
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
