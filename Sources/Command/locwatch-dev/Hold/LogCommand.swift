import Glibc
import LocationCore
import LocationTracks
import LocwatchPlatform

/// Logs a generated track as fast as it can, and prints the number of points after each one; tests kill it.
///
/// The track begins `START` seconds later than with a start of 0, and at another place, so that a test can distinguish the points of
/// two runs.
struct LogCommand: DeveloperCommand {
    static let name = "log"
    static let operands = "FILE FORMAT START"
    static let summary = "log a generated track until killed"

    private let path: String
    private let format: TrackFormat
    private let start: Int

    init?(_ operands: [String]) {
        guard operands.count == 3, let format = TrackFormat(named: operands[1]), let start = Int(operands[2]) else {
            return nil
        }
        (path, self.format, self.start) = (operands[0], format, start)
    }

    func run() throws {
        let file = try TrackFile(path, format, durability: .kill)
        var place = Coordinate(latitude: 45 + Double(start) / 1e8, longitude: 7)
        var time = Timestamp(nanosecondsSince1970: 1_795_161_600_000_000_000)
        time = time.advanced(by: .seconds(start))
        while true {
            place = place.destination(distance: 10, bearing: 77)
            time = time.advanced(by: .seconds(1))
            let location = Location(coordinate: place, timestamp: time, altitudeMSL: 200, speed: 10, course: 77)
            try file.process(.point(TrackPoint(location)))
            if file.points % 50 == 49 { try file.process(.gap(.timeWentBack)) }
            writeText("\(file.points)\n", to: STDOUT_FILENO)
        }
    }
}
