import Glibc

/// Simulates a fleet of receivers that publish to a broker, counts what arrives, and prints the figures.
struct FleetCommand: DeveloperCommand {
    static let name = "fleet"
    static let operands = """
        [OPTION]... mqtt://HOST[:PORT]...
          --devices N (100)  --rate HZ (1)  --seconds N (10)  --scenario NAME (drive)  --seed N (1)
          --qos 0|1 (1)  --no-retain  --in-flight N (20)  --drain-timeout SECONDS (60)  --reconnect SECOND
          --consumers N (1)  --consumer mqtt://HOST[:PORT]  --share GROUP  --keep-sessions
          --end-consumer SECOND  --return-consumer SECOND  --pid BROKER...  --acknowledged FILE  --json
        """
    static let summary = "load brokers with simulated receivers, one connection each, and count what arrives"

    private let options: FleetOptions

    init(_ operands: [String]) throws {
        guard let options = FleetOptions(operands) else { throw UsageError() }
        self.options = options
    }

    func run() throws {
        var run = try FleetRun(options)
        let report = try run.run()
        writeText(options.isJSON ? report.json : report.text, to: STDOUT_FILENO)
    }
}
