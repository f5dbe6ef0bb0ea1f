package import Foundation
import Glibc
import LocwatchPlatform
import Testing

/// A temporary folder for a test, removed with the value.
package final class Scratch: Sendable {
    package let url: URL

    package init() throws {
        // The path of a socket in it has 107 bytes at most, which a long TMPDIR would exceed.
        let temporary = FileManager.default.temporaryDirectory
        let folder = temporary.path.utf8.count > 60 ? URL(filePath: "/tmp") : temporary
        url = folder.appending(path: "lw-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The names of the files in the folder, sorted.
    package var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path).sorted()) ?? [] }

    package func path(_ name: String) -> String { url.appending(path: name).path }

    package func text(_ name: String) throws -> String {
        try String(contentsOf: url.appending(path: name), encoding: .utf8)
    }

    @discardableResult
    package func write(_ text: String, to name: String) throws -> URL {
        let file = url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file
    }

    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: url.appending(path: name))
        return path(name)
    }

    /// Performs the end of a claim on a path, and puts back the files that it removes, as if its process had been killed.
    package func keep(_ names: [String], _ end: () -> Void) throws {
        for name in names { try #require(link(path(name), path(name + "-kept")) == 0) }
        end()
        for name in names { try #require(rename(path(name + "-kept"), path(name)) == 0) }
    }

    /// Writes an executable script of the shell, and returns its path.
    ///
    /// A shell writes it, so that this process has no descriptor of it. A child that another test starts would inherit that until it runs
    /// its program, and a file that is open for writing cannot be run (ETXTBSY).
    package func writeScript(_ text: String, to name: String) throws -> String {
        let path = self.path(name)
        let shell = try ChildProcess(
            path: "/bin/sh",
            arguments: ["-c", #"printf '%s' "$1" >"$2" && chmod 755 "$2""#, "sh", "#!/bin/sh\n\(text)\n", path],
            environment: ["PATH": "/usr/bin:/bin"])
        guard shell.wait(for: .seconds(60)) == .exited(0) else { throw CocoaError(.fileWriteUnknown) }
        return path
    }

    /// Compiles a program of Tests/Programs to a file of the folder, and returns its path.
    @discardableResult
    package func compile(program: String, to name: String, _ options: [String] = []) throws -> String {
        let programs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Programs")
        return try compile(String(contentsOf: programs.appending(path: program), encoding: .utf8), to: name, options)
    }

    /// Compiles the text of a program, or with options a library, to a file of the folder, and returns its path.
    @discardableResult
    package func compile(_ text: String, to name: String, _ options: [String] = []) throws -> String {
        let source = try write(text, to: name + ".c")
        let clang = try Tool("clang", ["-o", path(name), source.path] + options)
        guard clang.status == 0 else { throw ProgramFailure(description: "clang: \(clang.errors)") }
        return path(name)
    }
}
