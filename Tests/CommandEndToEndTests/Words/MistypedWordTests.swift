import TestSupport
import Testing

/// Mistyped words that are taken for a host name.
@Suite(.serialized, .withFew) struct MistypedWordTests {
    @Test(arguments: ["onec", "wtch"], ["", "record r.json"])
    func `a mistyped command fails at once with a suggestion`(word: String, command: String) async throws {
        let folder = try Scratch()
        let run = try await Locwatch.run("$LW \(command) \(word)", folder: folder.url)
        #expect(run.code == 69)
        let advice = "did you mean the command 'locwatch \(word == "onec" ? "once" : "watch")'?"
        let lines = run.errors.split(separator: "\n")
        #expect(lines.first?.hasPrefix("locwatch: cannot resolve \(word):2947") == true, "\(run.errors)")
        #expect(lines.count == 2 && lines.last?.hasSuffix(advice) == true, "\(run.errors)")
        #expect(folder.names == [])
    }

    @Test(arguments: ["once -t 10m", "record r.json -x 10m", "time -x 10m"])
    func `a command that needs its source ends at once if the name cannot be resolved`(command: String) async throws {
        let folder = try Scratch()
        for (word, code) in [
            ("no-such-host.invalid", 69), ("tcp://no-such-host.invalid:1", 69), ("mqtt://no-such-host.invalid", 69),
            ("drive.jsn", 66), ("drive.jsn:2947", 69), ("gpsd://drive.jsn", 69),
        ] where !(command.hasPrefix("time") && word.hasPrefix("mqtt")) {
            let run = try await Locwatch.run("timeout 120 $LW \(command) \(word)", folder: folder.url)
            #expect(run.code == Int32(code), "\(command) \(word): \(run.errors)")
            let reason =
                code == 66
                ? "cannot read drive.jsn: there is no such file, and no host of that name" : "cannot resolve"
            #expect(run.errors.contains(reason), "\(run.errors)")
        }
        #expect(folder.names == [])
    }

    @Test(arguments: ["onec:2948", "no-such-host.invalid", "drive.jsn"])
    func `a host that cannot be resolved is retried`(source: String) async throws {
        let run = try await Locwatch.run("$LW -j -x 2s \(source)")
        #expect(run.code == (source == "drive.jsn" ? 66 : 69))
        #expect(try Events.of("error", in: run.output).count >= 2)
    }
}
