package import Foundation
package import LocationTracks
import Testing

/// The oracle of a format of tracks: its independent readers, and a count of the points in a file.
///
/// A new format is one entry of `all`. If GPSBabel or GDAL reads the format, they are its readers as they are of others; else it has one
/// in `read_track.py`.
package struct TrackOracle: Sendable {
    package let format: TrackFormat
    /// The independent readers of the format.
    package let readings: [Reading]
    /// The text that ends a point, if the format has a trailer; in the others each line is a point.
    package let pointEnd: String?
    /// Returns the number of points, or `nil` if the file is not well-formed.
    ///
    /// An incomplete last line does not count.
    package let count: @Sendable ([UInt8]) -> Int?

    /// An independent reader, with the precision to which it rounds.
    package struct Reading: CustomTestStringConvertible, Sendable {
        package let format: TrackFormat
        /// The name of the reader in `read_track.py`.
        package let reader: String
        /// Whether it reads the form with a feature for each point.
        package var pointFeatures = false
        package var degrees = 0.0
        package var metres = 0.0
        package var tellsSegments = true
        package var tellsTimes = true
        /// The points that it does not report: gpsd needs the first epoch to learn where an epoch ends.
        package var learnsFrom = 0

        package var testDescription: String { "\(format.name)\(pointFeatures ? " points" : "") by \(reader)" }
        /// Whether it reports every point of a track in its usual form.
        package var isWhole: Bool { !pointFeatures && learnsFrom == 0 }

        init(_ format: TrackFormat, _ reader: String, _ change: (inout Reading) -> Void = { _ in }) {
            (self.format, self.reader) = (format, reader)
            change(&self)
        }
    }

    package static let all: [TrackOracle] = [
        TrackOracle(
            .gpx,
            [
                Reading(.gpx, "gpxpy"), Reading(.gpx, "gdal") { $0.tellsTimes = false },
                Reading(.gpx, "gpsbabel-gpx") { ($0.degrees, $0.metres) = (1e-9, 0.002) },
            ], pointEnd: "</trkpt>\n", TrackPoints.xml),
        TrackOracle(
            .geojson,
            [
                Reading(.geojson, "json"), Reading(.geojson, "json") { $0.pointFeatures = true },
                Reading(.geojson, "gdal") { $0.tellsTimes = false },
            ], pointEnd: "}}", TrackPoints.geojson),
        TrackOracle(
            .kml,
            [
                Reading(.kml, "gpsbabel-kml") { ($0.degrees, $0.metres) = (1e-9, 0.002) },
                Reading(.kml, "gdal") { $0.tellsTimes = false },
            ], pointEnd: "</gx:Track>\n", TrackPoints.xml),
        TrackOracle(
            .csv,
            [
                Reading(.csv, "csv"),
                Reading(.csv, "gpsbabel-unicsv") { ($0.degrees, $0.metres, $0.tellsSegments) = (1e-9, 0.002, false) },
            ], lines: { $0.first != UInt8(ascii: "t") && $0.last == UInt8(ascii: "\r") }),
        TrackOracle(
            .nmea,
            [
                Reading(.nmea, "gpsbabel-nmea") { ($0.degrees, $0.metres, $0.tellsSegments) = (2e-8, 0.002, false) },
                Reading(.nmea, "gpsdecode") {
                    ($0.degrees, $0.metres, $0.tellsSegments, $0.learnsFrom) = (1.5e-8, 0.002, false, 1)
                },
            ], lines: { $0.starts(with: "$GPGGA".utf8) && String(decoding: $0, as: UTF8.self).contains(",N,") }),
        TrackOracle(
            .gpsd, [Reading(.gpsd, "tpv")],
            lines: {
                $0.starts(with: "{\"class\":\"TPV\"".utf8) && String(decoding: $0, as: UTF8.self).contains("\"mode\":3")
            }),
        TrackOracle(
            .influx, [Reading(.influx, "influx") { $0.tellsSegments = false }],
            lines: { $0.starts(with: "locwatch,".utf8) || $0.starts(with: "locwatch ".utf8) }),
    ]

    /// The names of the formats, for tests of the program.
    package static let names = all.map(\.format.name)
    /// The readers that report every point of a track.
    package static let wholeReadings = all.flatMap(\.readings).filter(\.isWhole)

    private init(
        _ format: TrackFormat, _ readings: [Reading], pointEnd: String? = nil,
        _ count: @escaping @Sendable ([UInt8]) -> Int?
    ) {
        (self.format, self.readings, self.pointEnd, self.count) = (format, readings, pointEnd, count)
    }

    /// Creates the oracle of a format in which some lines are points.
    private init(
        _ format: TrackFormat, _ readings: [Reading], lines isPoint: @escaping @Sendable (ArraySlice<UInt8>) -> Bool
    ) {
        self.init(format, readings) { bytes in
            bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().count(
                where: isPoint)
        }
    }

    package static func of(_ format: TrackFormat) throws -> TrackOracle {
        try #require(all.first { $0.format == format }, "TrackOracle.all has no entry for \(format)")
    }

    /// A point as read by an independent program.
    package struct Point: Equatable {
        package var segment: Int
        package var time: String
        package var latitude: Double
        package var longitude: Double
        package var altitude: Double?
    }

    /// Returns the points of each track file as an independent program reads them; Python is started once for all.
    package static func read(_ files: [(path: String, reader: String)]) throws -> [[Point]] {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Oracles/read_track.py")
            .standardizedFileURL.path
        let tool = try Tool("/usr/bin/python3", [script] + files.flatMap { [$0.reader, $0.path] })
        try #require(tool.status == 0, "\(files.map(\.reader)): \(tool.errors)")
        // An empty line ends the points of a file.
        let tracks = tool.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .split(separator: "", omittingEmptySubsequences: false).dropLast()
        try #require(tracks.count == files.count)
        return try tracks.map { lines in
            try lines.map { line in
                let fields = line.split(separator: "\t").map(String.init)
                return Point(
                    segment: try #require(Int(fields[0])), time: fields[1], latitude: try #require(Double(fields[2])),
                    longitude: try #require(Double(fields[3])), altitude: Double(fields[4]))
            }
        }
    }

    package static func read(_ path: String, by reader: String) throws -> [Point] { try read([(path, reader)])[0] }

    package static func read(_ file: URL, by reader: String) throws -> [Point] { try read(file.path, by: reader) }
}
