import LocationCore
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchPrinting

/// Tests that advice fits the kind of source, and repeats it.
@Suite struct AdviceTests {
    private static let failures: [LocationError] = [
        .unreachable(host: "localhost", port: 29476, cause: "refused"),
        .connectionLost(host: "localhost", port: 29476, cause: "reset"), .denied(what: "it", cause: "no"),
        .noFix(.nothingHeard(after: .seconds(9))),
        .noFix(.noPosition(after: .seconds(9), reason: .noFix(seen: nil, used: nil, best: nil))),
        .noFix(.noPosition(after: .seconds(9), reason: .starting)),
    ]

    @Test(
        arguments: failures,
        [
            ("", "'locwatch doctor'"), ("localhost:29476", "'locwatch doctor localhost:29476'"),
            ("tcp://localhost:1", "'locwatch doctor tcp://localhost:1'"), ("sim:walk", "'locwatch doctor sim:walk'"),
            // Quotes around a line that has quotes would end where those begin.
            ("serial:/dev/ttyS0?speed=9600", "locwatch doctor 'serial:/dev/ttyS0?speed=9600'"),
            ("drive.json", nil), ("raw:a log.ubx", nil), ("-", nil),
        ] as [(String, String?)])
    func `doctor is named with the source, quoted for a shell, and is not advised for files, which it refuses`(
        failure: LocationError, words: (source: String, line: String?)
    ) throws {
        let source = words.source.isEmpty ? .standard : try SourceWord(words.source) { _ in false }
        let advice = ErrorText(failure, of: source).advice ?? ""
        if case .connectionLost = failure, source.endpoint == nil {
            #expect(advice.isEmpty)
        } else if let line = words.line {
            #expect(advice.contains(line), "\(advice)")
        } else {
            #expect(!advice.contains("doctor"), "\(advice)")
        }
        #expect(!advice.contains("''"), "\(advice)")
    }

    @Test(arguments: ["tcp://localhost:1", "udp://127.0.0.1:1", "ntrip://localhost:1/MOUNT"])
    func `the failure of a stream does not blame gpsd`(word: String) throws {
        let source = try SourceWord(word) { _ in false }
        for failure in [
            LocationError.streamUnavailable(address: word, cause: "Connection refused"),
            .unresolvable(host: "localhost", port: 1, cause: "no"),
        ] {
            let text = ErrorText(failure, of: source)
            #expect(text.advice != nil)
            #expect(!text.lines.contains("gpsd") && !text.lines.contains("-G"), "\(text.lines)")
        }
    }

    @Test(arguments: [("walk.json", "walk.json"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("", "''"), ("ü", "'ü'")])
    func `a word is quoted if a shell needs it`(word: String, quoted: String) throws {
        #expect(ShellWords.quoted(word) == quoted)
        #expect(ShellWords.split(quoted) == [word])
    }

    @Test(arguments: [
        ("gzip: unexpected end of file", false), ("xz: Unexpected end of input", false),
        ("gzip: invalid compressed data--length error", true), ("gzip: invalid compressed data--crc error", true),
        ("xz: Compressed data is corrupt", true), ("zstd: Data corruption detected", true),
        ("it expands to more than 24 times its size", false),
    ])
    func `only of a file whose end is missing everything before is right`(cause: String, canBeWrong: Bool) {
        let advice = ErrorText(.damaged(path: "a.json.gz", cause: cause)).advice
        #expect(advice?.contains("can be wrong") == canBeWrong)
    }
}
