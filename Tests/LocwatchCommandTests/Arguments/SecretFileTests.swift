import Foundation
import LocwatchTerminal
import TestSupport
import Testing

@testable import LocwatchArguments

@Suite(.serialized, .alone) struct SecretFileTests {
    private let path = NSTemporaryDirectory() + "locwatch-secret-\(UUID().uuidString)"

    private func read(_ text: [UInt8], mode: Int = 0o600, credentials: String? = nil) throws -> String? {
        try Data(text).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try SecretFile.required(path, credentials: credentials)
    }

    @Test(arguments: ["secret", "secret\n", "secret\r\n"])
    func `a password is read without the line break at its end`(text: String) throws {
        #expect(try read(Array(text.utf8)) == "secret")
    }

    @Test func `spaces belong to a password`() throws {
        #expect(try read(Array(" a b \n".utf8)) == " a b ")
    }

    @Test func `a file without a password, or with more than one, is refused`() {
        let (several, noText) = ("has more than one line: it is not a password", "is not text in UTF-8")
        let cases: [([UInt8], String)] = [
            ([], "is empty"), (Array("\n".utf8), "is empty"), (Array("a\nb".utf8), several),
            (Array("a\n\n".utf8), several), (Array("a\rb".utf8), several), ([0x61, 0], noText), ([0xFF, 0x61], noText),
            (Array(repeating: 0x61, count: 5_000), "has more than 4096 bytes: it is not a password"),
        ]
        for (text, reason) in cases {
            let error = #expect(throws: UsageError.self) { try read(text) }
            #expect(error?.message == "\(path) \(reason)" && error?.code == .noInput)
        }
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o601])
    func `a file that others can use is refused, unless it is a credential of a service`(mode: Int) throws {
        let refusal = UsageError(noInput: "other users can read \(path): run chmod 600 on it")
        #expect(throws: refusal) { try read([0x61], mode: mode) }
        let folder = String(path.dropLast(URL(filePath: path).lastPathComponent.count + 1))
        #expect(try read([0x61], mode: mode, credentials: folder) == "a")
        let other = folder + "x"
        #expect(throws: refusal) { try read([0x61], mode: mode, credentials: other) }
        #expect(throws: refusal) { try read([0x61], mode: mode, credentials: "") }
    }

    @Test func `an empty file has no password`() throws {
        try Data().write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try SecretFile.read(path, credentials: nil) == nil)
    }

    @Test func `a name without a slash is that of a credential`() throws {
        let url = URL(filePath: path)
        try Data("secret".utf8).write(to: url)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = url.deletingLastPathComponent().path
        #expect(try SecretFile.read(url.lastPathComponent, credentials: folder) == "secret")
        #expect(throws: UsageError.self) { try SecretFile.read(url.lastPathComponent, credentials: nil) }
    }

    @Test func `a file that does not exist is an error with its path`() throws {
        let error = #expect(throws: UsageError.self) { try SecretFile.read("/nonexistent/x", credentials: nil) }
        #expect(error?.message == "cannot read /nonexistent/x: No such file or directory")
    }
}
