import TestSupport
import Testing

/// The growth of the work of decoding with the length of the line, in instructions that valgrind counts.
@Suite(.serialized, .withFew, .onlyInMakeTest) struct DecodingGrowthTests {
    private static let beginnings = [
        #"{"class":"TPV","x":"#, #"{"class":"SKY","satellites":["#, "{", #"{"class":"TPV","#, #"{"class":"AIS","x":""#,
    ]
    private static let fillings = [
        "[", #"{"a":"#, "\"", #"\\"#, #"\u0041"#, "1", " ", ",", #""a":1,"#, #"{"x":1},"#, "0.",
        #""satellites":[{}],"#,
    ]

    /// Returns the instructions of a program that decodes a line of each beginning with each filling.
    private func instructions(length: Int) throws -> Int {
        let lines = Self.beginnings.flatMap { beginning in
            Self.fillings.map { beginning + String(repeating: $0, count: length / $0.utf8.count) + "\n" }
        }
        let file = try Scratch()
        try file.write(lines.joined(), to: "lines")
        try requireProgram("/usr/bin/valgrind", package: "valgrind")
        // valgrind 3.19 does not read the information for debuggers of a plain `swift build`.
        let program = file.path("program")
        #expect(try Tool("strip", ["-g", "-o", program, Locwatch.program + "-dev"]).status == 0)
        let options = ["--tool=callgrind", "--callgrind-out-file=/dev/null"]
        let run = try Tool("valgrind", options + [program, "bench-decode", "reports", file.path("lines")])
        let count = run.errors.firstMatch(of: /Collected : ([0-9]+)/).flatMap { Int($0.1) }
        return try #require(run.status == 0 ? count : nil, "\(run.errors)")
    }

    @Test func `a line sixteen times as long takes at most twenty times the instructions`() throws {
        // One quadratic filling of sixty would take more than half as many again.
        let start = try instructions(length: 0)
        let (short, long) = (try instructions(length: 2048) - start, try instructions(length: 32_768) - start)
        #expect(long < 20 * short, "\(short) and \(long) instructions")
    }
}
