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
        #expect(text.contains(#/ (2[6-9]|3[0-4])\.[0-9] m off, 2\.[0-9] m up\n/#), "\(text.suffix(300))")
        let json = try await run("watch -j \(point) x").output
        #expect(
            json.contains(
                #/"error":[23][0-9]\.[0-9]+,"errorEast":[23][0-9]\.[0-9]+,"errorNorth":-?[0-9.]+,"errorUp":2\.[0-9]+/#))
        let flat = try await run("watch -j --reference 54.1821,7.8894 x").output
        #expect(flat.contains(#""errorNorth""#) && !flat.contains("errorUp"))
        let table = try await run("watch --csv \(point) x").output
        #expect(table.hasPrefix("time,lat,lon,alt,") && table.contains(",error,errorEast,errorNorth,errorUp\r\n"))
        #expect(table.contains(#/,[23][0-9]\.[0-9]+,[23][0-9]\.[0-9]+,-?[0-9.]+,2\.[0-9]+\r\n/#))
        let words = try await run("watch -f %{error:.0} \(point) x").output.split(separator: "\n")
        #expect(words.count == 80 && words.allSatisfy { 26...34 ~= Int($0) ?? 0 })
        let feet = try await run("watch --units imperial \(point) x").output
        #expect(feet.contains(#/ (8|9|10|11)[0-9]\.[0-9] ft off, [6-9]\.[0-9] ft up\n/#))
    }

    @Test func `without a point there are no errors`() async throws {
        #expect(try await !run("watch -j x").output.contains("error"))
        #expect(try await run("watch -f %{error} x").output.hasPrefix("-\n"))
        #expect(try await !run("stats x").output.contains("Reference"))
    }

    @Test func `the statistics have the figures of all errors`() async throws {
        let text = try await run("stats --reference 54.1821,7.8894,238 x").output
        #expect(text.contains("Reference     54.1821000, 7.8894000, 238.0 m\n"), "\(text)")
        #expect(
            text.contains(#/error CEP50 [23][0-9]\.[0-9] m, CEP95 3[0-9]\.[0-9] m, mean [23][0-9]\.[0-9] m, worst/#))
        #expect(
            text.contains(
                #/mean position [23][0-9]\.[0-9] m east, [0-9.]+ m (north|south)\n +mean height 2\.[0-9] m too high/#))
        #expect(text.contains(#/drift in an hour [0-9.]+ m (east|west), [0-9.]+ m (north|south)\n/#))
        let json = try await run("stats -j --reference 54.1821,7.8894 x").output
        #expect(json.contains(#""reference":{"lat":54.1821,"lon":7.8894,"positions":80,"mean":"#))
        #expect(try await run("stats --reference -54,7 --plot x").output.contains("× reference, error 50 % "))
    }

    @Test func `large errors are kilometres, and no line ends between a number and its unit`() async throws {
        let line = try await run("watch --reference -54,7 x").lines.last
        #expect(line?.contains(#/ 119[0-9][0-9]\.[0-9][0-9] km off$/#) == true, "\(line ?? "")")
        let figures = try await run("stats --reference -54,7 --units nautical x").output
        #expect(figures.contains("worst 64"), "\(figures)")
        #expect(!figures.contains(#/[0-9]\n +(m|km|nmi|s|min|%)/#), "\(figures)")
    }

    @Test(arguments: [(80, 24), (40, 24), (120, 40)])
    func `the monitor shows the error and its figures`(size: (Int, Int)) async throws {
        let terminal = try FakeTerminal(columns: size.0, rows: size.1)
        _ = try await run("monitor --reference 54.1821,7.8894,238 x", terminal: terminal)
        let screen = terminal.state.screen.text
        #expect(screen.contains(#/[23][0-9]\.[0-9] m off/#), "\(screen)")
        if size.0 > 40 {
            for words in ["E +", "U +", "CEP50 ", "CEP95 ", "worst ", "drift "] {
                #expect(screen.contains(words), "\(screen)")
            }
        }
        if size.0 == 120 { #expect(screen.contains("scatter around the reference"), "\(screen)") }
    }
}
