import Foundation
import TestSupport
import Testing

@Suite(.serialized, .withFew) struct MovedBuildTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    private func write(_ text: String, to path: String) throws {
        let file = folder.url.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func cache(_ build: String) -> String { "\(build)/x86_64-unknown-linux-gnu/debug/ModuleCache" }

    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: folder.path(path)) }

    @Test func `only the module cache of a build that was made in another folder is removed`() throws {
        let here = folder.url.resolvingSymlinksInPath().path
        let builds = [(".build", "/home/anna/locwatch"), (".build-lint", here), ("Examples/one/.build", "/tmp/x")]
        for (build, made) in builds {
            let headers = "CPCH\u{0}\(made)/Sources/System/CLocwatchPlatform/include"
            try write(headers, to: "\(cache(build))/2S57/CLocwatchPlatform-3U.pcm")
            try write("object", to: "\(build)/x86_64-unknown-linux-gnu/debug/main.o")
        }
        let script = Locwatch.package.appending(path: "Tools/build/module-cache")
        try write(try String(contentsOf: script, encoding: .utf8), to: "Tools/build/module-cache")
        let run = try Tool("sh", [folder.path("Tools/build/module-cache")], environment: ["PATH": "/usr/bin:/bin"])
        let removed = [".build", "Examples/one/.build"].map {
            "removing \(cache($0)), which was made in another folder\n"
        }
        #expect(run.status == 0 && run.output == removed.joined(), "\(run.output)\(run.errors)")
        for (build, made) in builds {
            #expect(isThere(cache(build)) == (made == here), "\(build)")
            #expect(isThere("\(build)/x86_64-unknown-linux-gnu/debug/main.o"))
        }
    }
}
