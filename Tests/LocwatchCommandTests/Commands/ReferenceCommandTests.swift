import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchSession

/// The output of commands that compare positions with a point whose place is known.
@Suite(.serialized, .withClocks) struct ReferenceCommandTests {
    private static let harbour = Coordinate(latitude: 54.1821, longitude: 7.8894)

    /// Runs a command over a receiver that stands 30 m east of the point for 80 seconds.
    private func run(_ line: String, terminal: FakeTerminal? = nil) async throws -> CommandTrial.Result {
        let receiver = AttackedReceiver(
            .teleported, at: Self.harbour.destination(distance: 30, bearing: 90), before: 80, during: 0,
            device: "/dev/ttyACM0")
        return try await CommandTrial.run(line, [.attacked(receiver), .end], terminal: terminal)
    }

    @Test func `each position has its error in every format`() async throws {
        let point = "--reference 54.1821,7.8894,238"
        let text = try await run("watch \(point) x").output
        #expect(text.hasSuffix("  31.8 m off, 3.0 m up\n"), "\(text.suffix(300))")
        let json = try await run("watch -j \(point) x").output
        #expect(json.contains(#""error":31.8217,"errorEast":31.8207,"errorNorth":-0.2567,"errorUp":2.992}"#))
        let flat = try await run("watch -j --reference 54.1821,7.8894 x").output
        #expect(flat.contains(#""errorNorth""#) && !flat.contains("errorUp"))
        let table = try await run("watch --csv \(point) x").output
        #expect(table.hasPrefix("time,lat,lon,alt,") && table.contains(",error,errorEast,errorNorth,errorUp\r\n"))
        #expect(table.hasSuffix(",31.8217,31.8207,-0.2567,2.992\r\n"))
        let words = try await run("watch -f %{error:.0} \(point) x").output.split(separator: "\n")
        #expect(words.count == 80 && words.prefix(6) == ["31", "28", "30", "29", "32", "30"])
        let counts = ["28", "29", "30", "31", "32"].map { number in words.count { $0 == number } }
        #expect(counts == [5, 12, 40, 17, 6], "\(counts)")
        let feet = try await run("watch --units imperial \(point) x").output
        #expect(feet.hasSuffix("  104.4 ft off, 9.8 ft up\n"), "\(feet.suffix(300))")
    }

    @Test func `without a point there are no errors`() async throws {
        #expect(try await !run("watch -j x").output.contains("error"))
        #expect(try await run("watch -f %{error} x").output.hasPrefix("-\n"))
        #expect(try await !run("stats x").output.contains("Reference"))
    }

    @Test func `the statistics have the figures of all errors`() async throws {
        let text = try await run("stats --reference 54.1821,7.8894,238 x").output
        #expect(text.contains("Reference     54.1821000, 7.8894000, 238.0 m\n"), "\(text)")
        for line in [
            "error CEP50 30.0 m, CEP95 31.5 m, mean 30.1 m, worst 32.0 m\n",
            "mean position 30.1 m east, 0.08 m south\n",
            "mean height 2.5 m too high, deviation 0.30 m\n", "drift in an hour 16.8 m east, 17.0 m south\n",
        ] { #expect(text.contains(line), "\(text)") }
        let json = try await run("stats -j --reference 54.1821,7.8894 x").output
        #expect(
            json.contains(
                #""reference":{"lat":54.1821,"lon":7.8894,"positions":80,"mean":30.122959,"cep50":30.0248,"#
                    + #""cep95":31.54144,"worst":31.9847,"east":30.110611,"north":-0.080903,"#
                    + #""driftEast":16.765911,"driftNorth":-17.028515}"#))
        #expect(try await run("stats --reference -54,7 --plot x").output.contains("× reference, error 50 % "))
    }

    @Test func `large errors are kilometres, and no line ends between a number and its unit`() async throws {
        let line = try await run("watch --reference -54,7 x").lines.last
        #expect(line?.hasSuffix("  11992.38 km off") == true, "\(line ?? "")")
        let figures = try await run("stats --reference -54,7 --units nautical x").output
        #expect(figures.contains("worst 64"), "\(figures)")
        #expect(!figures.contains(#/[0-9]\n +(m|km|nmi|s|min|%)/#), "\(figures)")
    }

    @Test(arguments: [(80, 24), (40, 24), (120, 40)])
    func `the monitor shows the error and its figures`(size: (Int, Int)) async throws {
        let terminal = try FakeTerminal(columns: size.0, rows: size.1)
        _ = try await run("monitor --reference 54.1821,7.8894,238 x", terminal: terminal)
        let screen = terminal.state.screen.text
        #expect(screen.contains(" 31.8 m off  E +31.8 m  N -0.26 m"), "\(screen)")
        if size.0 > 40 {
            for words in ["E +", "U +", "CEP50 ", "CEP95 ", "worst ", "drift "] {
                #expect(screen.contains(words), "\(screen)")
            }
        }
        if size.0 == 120 { #expect(screen.contains("scatter around the reference"), "\(screen)") }
    }
}
