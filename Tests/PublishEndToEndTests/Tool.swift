import Foundation

/// A folder that is gone with the test.
final class Scratch: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "locwatch-publish-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    func text(_ name: String) -> String { (try? String(contentsOf: url.appending(path: name), encoding: .utf8)) ?? "" }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: url.appending(path: name))
    }
}

/// A program that a test needs, from a Debian package.
struct Tool {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    let path: String

    /// Fails with the reason if the program is missing.
    init(_ path: String, package: String) throws {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw Failed(description: "\(path) is missing: install the package \(package)")
        }
        self.path = path
    }

    /// Runs the program in a folder until it ends.
    func run(_ arguments: [String], in folder: URL) throws {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let complaint = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failed(description: "\(path) \(arguments.joined(separator: " ")): \(complaint)")
        }
    }
}

/// A certificate and its key, as files in PEM form.
struct Certificate: Sendable {
    var file: String
    var key: String
}

/// A certificate authority, made by openssl in a folder that is gone with the value.
struct Authority {
    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    private let folder: Scratch
    private let openssl: Tool

    /// The authority's own certificate.
    var file: String { folder.path("authority.pem") }

    init() throws {
        folder = try Scratch()
        openssl = try Tool("/usr/bin/openssl", package: "openssl")
        try openssl.run(
            ["req", "-x509", "-keyout", "authority.key", "-out", "authority.pem", "-subj", "/CN=Test", "-days", "2"]
                + Self.newKey, in: folder.url)
    }

    /// Returns a new certificate for a name that is valid for some days from now.
    func sign(_ name: String = "IP:127.0.0.1", days: Int = 1) throws -> Certificate {
        let word = UUID().uuidString
        try openssl.run(
            ["req", "-keyout", word + ".key", "-out", word + ".csr", "-subj", "/CN=test", "-addext"]
                + ["subjectAltName=" + name] + Self.newKey, in: folder.url)
        try openssl.run(
            ["x509", "-req", "-in", word + ".csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-days"]
                + ["\(days)", "-copy_extensions", "copy", "-out", word + ".pem"], in: folder.url)
        return Certificate(file: folder.path(word + ".pem"), key: folder.path(word + ".key"))
    }
}
