import Foundation
import TestSupport
import Testing

@Suite(.serialized, .alone) struct EarlyLibraryTests {
    @Test func `the arguments are those of main when a library has set a variable before`() async throws {
        let scratch = try Scratch()
        let source = Locwatch.package.appending(path: "Tests/Programs/early.c").path
        let clang = try Tool("clang", ["-shared", "-fPIC", "-o", scratch.path("early.so"), source])
        try #require(clang.status == 0, "\(clang.errors)")
        let run = try await Locwatch.run("LD_PRELOAD=\(scratch.path("early.so")) $LW help once")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("locwatch once"), "\(run.output)")
    }
}
