import Glibc
import LocationCore
import LocationPublishing
import LocwatchPlatform

/// Measures the time of appending records to the queue of `publish`, and prints it as JSON.
struct BenchAppendCommand: DeveloperCommand {
    static let name = "bench-append"
    static let operands = "COUNT FOLDER"
    static let summary = "measure appending to a queue"

    private let count: Int
    private let path: String

    init?(_ operands: [String]) {
        guard operands.count == 2, let count = Int(operands[0]), count > 0 else { return nil }
        (self.count, path) = (count, operands[1])
    }

    func run() throws {
        var limits = QueueLimits()
        limits.size = .max / 2
        let queue = try PublishQueue(path, limits: limits)
        let start = ContinuousClock.now
        for number in 0..<count {
            let time = Timestamp(nanosecondsSince1970: 1_700_000_000_000_000_000 + Int64(number) * 100_000_000)
            var location = Location(
                coordinate: Coordinate(latitude: 45 + Double(number % 1000) / 100_000, longitude: 7), timestamp: time)
            location.horizontalAccuracy = 3
            location.speed = 1
            location.course = 90
            try queue.append(PublishRecord(.moved, created: time, location: location))
        }
        let seconds = (ContinuousClock.now - start).inSeconds
        writeText("{\"count\":\(count),\"seconds\":\(seconds)}\n", to: STDOUT_FILENO)
    }
}
