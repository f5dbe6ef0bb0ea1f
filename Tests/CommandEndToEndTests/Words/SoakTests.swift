import Foundation
import TestSupport
import Testing

@Suite(.serialized, .withFew) struct SoakTests {
    @Test(arguments: [[], ["publish"]])
    func `the soak of a program that is missing says so, and starts and leaves nothing`(mode: [String]) throws {
        let folder = try Scratch()
        let missing = folder.path("locwatch")
        let environment = ["PATH": "/usr/bin:/bin", "TMPDIR": folder.url.path, "PYTHONDONTWRITEBYTECODE": "1"]
        let run = try Tool(
            "python3", [Locwatch.package.path + "/Tools/soak"] + mode + ["--program", missing], environment: environment
        )
        #expect(run.status == 2 && run.errors.contains("\(missing) is missing"), "\(run.errors)")
        #expect(folder.names == [])
    }
}
