import TestSupport
import Testing

@testable import LocwatchArguments

@Suite(.serialized, .alone) struct MistakenHostTests {
    @Test(
        arguments: [
            ("onec", "once"), ("wtch", "watch"), ("expotr", "export"), ("localhost", nil),
            ("gps.example.org", nil), ("192.0.2.1", nil), ("::1", nil), ("boat", nil),
            ("server", nil),
        ] as [(String, String?)])
    func `a word that resembles a command is not taken for a host`(word: String, meant: String?) {
        #expect(MistakenHost(word)?.command == meant)
    }
}
