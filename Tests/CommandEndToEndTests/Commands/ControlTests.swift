import TestSupport
import Testing

/// `serve` with a script, a control socket and a serial line, and `control`, as a test in a shell uses them.
@Suite(.serialized, .withFew) struct ControlTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    /// Starts a server in a folder, with `$port` and the folder as the working folder, and runs a line.
    private func run(_ options: String, _ line: String) async throws -> (code: Int32, output: String, errors: String) {
        try await Locwatch.run(
            "$LW serve -q --port 0 --print-port \(options) >port & server=$!; "
                + "until [ -s port ] || ! kill -0 $server; do sleep .02; done; port=$(<port); \(line)",
            folder: folder.url)
    }

    @Test func `a program is driven step by step, and a signal to the server removes its paths`() async throws {
        let run = try await run(
            "--pace manual --control c --pty p sim:walk",
            """
            gpspipe -w localhost:$port >reports & reader=$!; drive="$LW control -t 5m c"; $drive wait clients 1 5m; \
            $drive step 5s; $drive lose; $drive step 5s; $drive wait read 5m; ls -l c p; kill $server; wait $server; \
            echo "server $?"; wait $reader; grep -c '"mode":3' reports; grep -c '"mode":1' reports; ls
            """)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines[1] == #"{"ok":true,"time":5}"# && lines[4] == #"{"ok":true,"time":10}"#, "\(run.output)")
        #expect(run.output.contains("srw------T"), "\(run.output)")
        #expect(Array(lines.suffix(5)) == ["server 143", "6", "5", "port", "reports"], "\(run.output)")
    }

    @Test(arguments: [
        ("control c lose now", 64, #"expected the end after lose, not "now""#),
        ("control c jmp", 64, #"unknown word "jmp"; the words are status, wait"#),
        ("control c", 64, "control needs a WORD..."),
        ("control c step 1s", 65, #""error":"step needs --pace manual"#),
        ("control c wait clients 9 10ms", 65, "0 clients watch at the time limit (at 0 s)"),
        (
            "control none status", 69,
            "cannot connect to none: No such file or directory; start 'locwatch serve --control"
        ),
        ("control c move -33.9,151.2", 0, #""ok":true"#),
        ("serve --script bad sim:walk", 64, #"bad: line 2, column 8: unknown word "jmp""#),
        ("serve --script none sim:walk", 66, "none"),
        ("serve --script c sim:walk", 66, "c"),
        ("serve --control bad sim:walk", 73, "cannot make a socket at bad: File exists"),
        ("serve --pty bad sim:walk", 73, "cannot make a terminal at bad: File exists"),
        ("serve --control c sim:walk", 73, "cannot make a socket at c: Device or resource busy"),
        ("serve --control no/c sim:walk", 73, "No such file or directory"),
        ("serve --pace manual localhost:1", 64, "--pace manual is for a simulated receiver, a recording or a track"),
        ("serve --pace manual sim:walk", 64, "--pace manual needs --control PATH"),
        ("serve --fault cut=0 sim:walk", 64, "invalid --fault: expected a whole number from 1 to 65536"),
        ("web --port 0 sim:walk", 64, "invalid port 0"),
    ])
    func `a mistake has its exit code and its reason`(words: String, code: Int32, reason: String) async throws {
        let run = try await run(
            "--control c sim:walk",
            "printf '# x\\nat 10s jmp\\n' >bad; timeout 300 $LW \(words); code=$?; kill $server; exit $code")
        #expect(run.code == code, "\(run.output)\(run.errors)")
        #expect((run.output + run.errors).contains(reason), "\(run.output)\(run.errors)")
    }

    @Test func `a signal ends a server that waits for the writer of its script`() async throws {
        let run = try await Locwatch.run(
            "mkfifo s; $LW serve --port 0 --script s sim:walk & server=$!; "
                + "until ls -l /proc/$server/fd | grep -q '/s$'; do sleep .02; done; kill $server; wait $server",
            folder: folder.url)
        #expect(run.code == 143, "\(run.errors)")
    }

    @Test(arguments: [("status", 0.3), ("wait clients 1 1s", 1.3)])
    func `a server that does not answer is given up at the time limit`(words: String, limit: Double) async throws {
        let run = try await run(
            "--control c sim:walk",
            "kill -STOP $server; timeout 300 $LW control --timeout 300ms c \(words); code=$?; kill -KILL $server; exit $code"
        )
        #expect(run.code == 69, "\(run.errors)")
        #expect(run.errors.contains("cannot drive c: Connection timed out; no answer within \(limit)"), "\(run.errors)")
    }
}
