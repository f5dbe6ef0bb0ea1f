import Glibc
import LocationCore
import GPSDProtocol
import LocwatchPlatform
import LocwatchSupport

/// Measures one stage of decoding on a file, and prints the CPU time and the number of results as JSON.
struct BenchDecodeCommand: DeveloperCommand {
    static let name = "bench-decode"
    static let operands = "lines|reports|events FILE"
    static let summary = "measure one stage of decoding"

    private let stage: BenchStage
    private let path: String

    init?(_ operands: [String]) {
        guard operands.count == 2, let stage = BenchStage(rawValue: operands[0]) else { return nil }
        (self.stage, path) = (stage, operands[1])
    }

    func run() throws {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { throw SystemFailure("open \(path)", code: errno) }
        let size = Int(lseek(file, 0, SEEK_END))
        guard size > 0, let start = mmap(nil, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0), start != MAP_FAILED
        else { throw SystemFailure("map \(path)", code: errno) }
        let before = Self.cpuSeconds
        let count = stage.run(UnsafeRawBufferPointer(start: start, count: size))
        let seconds = Self.cpuSeconds - before
        writeText("{\"bytes\":\(size),\"count\":\(count),\"seconds\":\(seconds)}\n", to: STDOUT_FILENO)
    }

    private static var cpuSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// A stage of processing, to measure the cost of each.
private enum BenchStage: String {
    /// Splits the bytes into lines.
    case lines
    /// Decodes the lines to typed reports, as gps_unpack does.
    case reports
    /// Translates the reports to the events of a session.
    case events

    /// Processes all bytes and returns the number of lines, reports or events.
    func run(_ bytes: UnsafeRawBufferPointer) -> Int {
        var count = 0
        switch self {
        case .lines, .reports:
            var lines = LineReader()
            var decoder = ReportDecoder()
            var place = 0
            while let line = lines.next(in: bytes, from: &place) {
                guard case .line(let json) = line else { continue }
                if self == .lines {
                    count += 1
                } else if (try? decoder.decode(json)) != nil {
                    count += 1
                }
            }
        case .events:
            var stream = GPSDStream()
            stream.feed(bytes)
            stream.finish()
            while stream.next() != nil { count += 1 }
        }
        return count
    }
}
