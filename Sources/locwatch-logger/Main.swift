import Glibc
import LocationCore
import LocationTracks

/// A program that logs a generated track as fast as possible and prints the number of points written after each.
///
/// Tests kill it. The track begins `START` seconds later than a track with start 0, so a test can distinguish the
/// points of several runs.
@main
struct Logger {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let format = TrackFormat(rawValue: arguments[2]), let start = Int(arguments[3])
        else {
            leave(64, "usage: locwatch-logger FILE FORMAT START")
        }
        do throws(TrackFileError) {
            let file = try TrackFile(arguments[1], format, durability: .kill)
            var place = Coordinate(latitude: 45, longitude: 7)
            var time = Timestamp(nanosecondsSince1970: 1_795_161_600_000_000_000)
            time = time.advanced(by: .seconds(start))
            while true {
                place = place.destination(distance: 10, bearing: 77)
                time = time.advanced(by: .seconds(1))
                let location = Location(coordinate: place, timestamp: time, altitudeMSL: 200, speed: 10, course: 77)
                try file.take(.point(TrackPoint(location)))
                if file.points % 50 == 49 { try file.take(.gap(.timeWentBack)) }
                say("\(file.points)", to: 1)
            }
        } catch {
            leave(74, "\(error.path): \(error.reason)")
        }
    }

    private static func say(_ text: String, to descriptor: Int32) {
        let line = text + "\n"
        // A failed write means that the reader has killed this program or will do so.
        _ = write(descriptor, line, line.utf8.count)
    }

    private static func leave(_ code: Int32, _ reason: String) -> Never {
        say(reason, to: 2)
        exit(code)
    }
}
