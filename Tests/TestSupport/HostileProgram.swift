import Foundation

/// A program that tries to do harm, in place of a child of locwatch; see `hostile.c`.
package final class HostileProgram: Sendable {
    private let scratch: Scratch
    /// The path of the program.
    package let path: String
    /// The folder of the program, for `PATH`.
    package var folder: String { scratch.path("bin") }
    /// The text of a file that the program must not read.
    package static let secret = "the text of a diary"

    /// Compiles the program under a name.
    ///
    /// - Parameters:
    ///   - port: A port of 127.0.0.1 that accepts connections.
    ///   - isLibrary: Whether it is a library that locwatch opens, which tries when it is opened.
    package init(named name: String, port: UInt16, isLibrary: Bool = false) throws {
        scratch = try Scratch()
        let files = FileManager.default
        for folder in ["bin", "folder"] {
            try files.createDirectory(atPath: scratch.path(folder), withIntermediateDirectories: true)
        }
        try scratch.write(Self.secret, to: "secret")
        path = scratch.path("bin/\(name)")
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Programs/hostile.c").path
        let clang = try Tool(
            "clang",
            [
                "-o", path, source, "-DSECRET=\"\(scratch.path("secret"))\"", "-DFOLDER=\"\(scratch.path("folder"))\"",
                "-DPORT=\(port)", "-DOWNER=\(getpid())",
            ] + (isLibrary ? ["-DLIBRARY", "-shared", "-fPIC"] : []))
        guard clang.status == 0 else { throw ProgramFailure(description: "clang: \(clang.errors)") }
    }

    /// The names of the files that the program has made.
    package var traces: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: scratch.path("folder")) }
    }

    /// Whether the secret is unchanged and still there.
    package var secretIsUntouched: Bool { (try? scratch.text("secret")) == Self.secret }
}
