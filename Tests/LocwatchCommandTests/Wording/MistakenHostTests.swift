import Testing

@testable import LocwatchArguments

struct MistakenHostTests {
    @Test(
        arguments: [
            ("onec", .command("once")), ("wtch", .command("watch")), ("expotr", .command("export")),
            ("drve.json", .file), ("track.JSONL", .file), ("walk.gpx", .file), ("log.nmea", .file), ("localhost", nil),
            ("gps.example.org", nil), ("192.0.2.1", nil), ("::1", nil), ("boat", nil),
            ("server", nil),
        ] as [(String, MistakenHost?)])
    func `a word that resembles a command or a file is not taken for a host`(word: String, meant: MistakenHost?) {
        #expect(MistakenHost(word) == meant)
    }
}
