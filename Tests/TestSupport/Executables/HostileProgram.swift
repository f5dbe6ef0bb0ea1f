import Foundation
import LocwatchPlatform

/// A program that tries to do harm, in place of a child of locwatch; see `hostile.c`.
package final class HostileProgram: Sendable {
    private let scratch: Scratch
    /// A socket of this machine that accepts connections, as services have.
    private let listener: Int32
    package let path: String
    package var folder: String { scratch.path("bin") }
    /// The path of a socket that accepts connections, as services have.
    package var service: String { scratch.path("service") }
    /// The text of a file that the program must not read.
    package static let secret = "the text of a diary"

    /// The way in which the program comes to run.
    package enum Kind {
        case program
        /// It is a library that locwatch opens, and tries when it is opened.
        case library
        /// It is loaded with locwatch (`LD_PRELOAD`), and tries right after locwatch has confined itself.
        case preloaded

        fileprivate var flags: [String] {
            switch self {
            case .program: []
            case .library: ["-DLIBRARY", "-shared", "-fPIC"]
            case .preloaded: ["-DPRELOADED", "-shared", "-fPIC"]
            }
        }
    }

    package init(named name: String, as kind: Kind = .program) throws {
        scratch = try Scratch()
        let files = FileManager.default
        for folder in ["bin", "folder"] {
            try files.createDirectory(atPath: scratch.path(folder), withIntermediateDirectories: true)
        }
        try scratch.write(Self.secret, to: "secret")
        listener = try LocalSocket.bound(to: scratch.path("service"), listens: true)
        path = try scratch.compile(
            program: "hostile.c", to: "bin/\(name)",
            [
                "-DSECRET=\"\(scratch.path("secret"))\"", "-DFOLDER=\"\(scratch.path("folder"))\"", "-DPORT=9",
                "-DOWNER=\(getpid())", "-DSERVICE=\"\(scratch.path("service"))\"",
            ] + kind.flags)
    }

    deinit { close(listener) }

    /// The names of the files that the program has made.
    package var traces: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: scratch.path("folder")) }
    }

    /// Whether the secret is unchanged and still there.
    package var secretIsUntouched: Bool { (try? scratch.text("secret")) == Self.secret }
}
