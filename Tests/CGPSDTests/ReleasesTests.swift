import TestSupport
import Testing

@Suite struct ReleasesTests {
    /// The releases that Headers/gps.h can represent; 3235 is a state between 3.23 and 3.24, 399 is after 3.27.
    static let releases: [String?] = ["320", "321", "322", "323", "3235", "324", "325", "326", "327", "399"]

    private func compile(against arguments: [String]) throws -> Tool {
        try Tool(
            "clang",
            ["-x", "c", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wconversion"]
                + arguments + ["-I", Folder.shim, "-"],
            input: "#include \"oracle.h\"\n")
    }

    @Test(arguments: releases + [nil])
    func `the shim compiles without a warning against the header of every release, and the installed one`(
        release: String?
    ) throws {
        let compiler = try compile(against: release.map { ["-DRELEASE=\($0)", "-I", Folder.headers] } ?? [])
        #expect(compiler.errors == "")
        #expect(compiler.status == 0)
    }

    @Test func `an old libgps is rejected with the required release`() throws {
        let compiler = try compile(against: ["-DRELEASE=319", "-I", Folder.headers])
        #expect(compiler.status != 0)
        #expect(compiler.errors.contains("locwatch needs libgps 3.20"))
    }
}
