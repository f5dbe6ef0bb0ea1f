import Foundation
import TestSupport
import Testing

@Suite(.serialized, .alone) struct BenchTests {
    @Test func `the bench ends what it has started also where SIGINT is ignored`() async throws {
        let folder = try Scratch()
        let script = """
            import os, pathlib, signal, sys
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            sys.path[:0] = ["Tools/bench", "Tools"]
            import programs, publish
            programs.ours = lambda: os.environ["LW"]
            folder = pathlib.Path(sys.argv[1])
            publish.drive(folder / "drive.json", 100)
            target, port, memory = publish.fill(folder / "queue", folder / "drive.json")
            print(target.endswith(publish.TOPIC), port > 0, memory > 0)
            """
        try script.write(toFile: folder.path("script.py"), atomically: true, encoding: .utf8)
        let run = try await Locwatch.run("python3 -B - \(folder.url.path) <\(folder.path("script.py"))")
        #expect(run.output == "True True True\n", "\(run.errors)")
    }
}
