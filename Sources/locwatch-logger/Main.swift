import Glibc
import LocationCore
import LocationTracks

/// Logs a made-up track as fast as it can, and prints after each point how many were written; tests kill it.
///
/// The track begins `START` seconds after that of other runs, so that a test can tell the points of one from another's.
@main
struct Logger {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let format = TrackFormat(named: arguments[2]), let start = Int(arguments[3])
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
        // Whoever does not listen any more has killed this program or soon will.
        _ = write(descriptor, line, line.utf8.count)
    }

    private static func leave(_ code: Int32, _ reason: String) -> Never {
        say(reason, to: 2)
        exit(code)
    }
}
