import TestSupport
import Testing

/// Runs of Programs/lifetime.c under valgrind: no access to freed memory, no leak, no call that libgps does not allow.
@Suite struct LifetimeTests {
    private func watch(compiledWith arguments: [String]) throws {
        let scratch = try Scratch()
        let program = scratch.path("lifetime")

        // Valgrind of Debian 12 reads DWARF up to version 4 without a warning.
        let compiler = try Tool(
            "clang",
            ["-std=gnu17", "-g", "-gdwarf-4", "-Wall", "-Wextra", "-Werror", "-o", program]
                + ["\(Folder.programs)/lifetime.c", "-I", Folder.shim] + arguments)
        try #require(compiler.status == 0, "\(compiler.errors)")

        let valgrind = try Tool(
            "valgrind", ["--quiet", "--leak-check=full", "--show-leak-kinds=all", "--error-exitcode=99", program])
        #expect(valgrind.output + valgrind.errors == "")
        #expect(valgrind.status == 0)
    }

    @Test func `a session neither leaks nor uses freed memory with the installed libgps`() throws {
        try watch(compiledWith: ["-lgps"])
    }

    @Test(arguments: ["325", "327", "399"])
    func `a session keeps its strings alive for a libgps that reads them later`(release: String) throws {
        try watch(compiledWith: ["\(Folder.programs)/stand_in_libgps.c", "-I", Folder.headers, "-DRELEASE=\(release)"])
    }
}
