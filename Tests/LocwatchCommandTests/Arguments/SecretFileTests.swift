import Foundation
import Glibc
import LocwatchPlatform
import LocwatchPrinting
import LocwatchTerminal
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession

@Suite struct SecretFileTests {
    private let scratch: Scratch
    private var path: String { scratch.path("secret") }

    init() throws { scratch = try Scratch() }

    private func read(_ text: [UInt8], mode: mode_t = 0o600, credentials: String? = nil) throws -> String? {
        #expect(chmod(try scratch.write(text, to: "secret"), mode) == 0)
        return try SecretFile.required(path, credentials: credentials)
    }

    @Test(arguments: [("secret", "secret"), ("secret\n", "secret"), ("secret\r\n", "secret"), (" a b \n", " a b ")])
    func `a password is read without the line break at its end`(text: String, password: String) throws {
        #expect(try read(Array(text.utf8)) == password)
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

    @Test(arguments: [0o640, 0o604, 0o620, 0o601] as [mode_t])
    func `a file that others can use is refused, unless it is a credential of a service`(mode: mode_t) throws {
        let refusal = UsageError(noInput: "other users can read \(path): run chmod 600 on it")
        #expect(throws: refusal) { try read([0x61], mode: mode) }
        #expect(try read([0x61], mode: mode, credentials: scratch.url.path) == "a")
        #expect(throws: refusal) { try read([0x61], mode: mode, credentials: scratch.url.path + "x") }
        #expect(throws: refusal) { try read([0x61], mode: mode, credentials: "") }
    }

    @Test func `a file that others can replace is refused, unless it is a credential of a service`() throws {
        #expect(chmod(scratch.url.path, 0o777) == 0)
        let refusal = UsageError(noInput: "other users can replace \(path): only its owner may write in its folder")
        #expect(throws: refusal) { try read([0x61]) }
        #expect(try read([0x61], credentials: scratch.url.path) == "a")
        #expect(chmod(scratch.url.path, 0o1777) == 0)
        #expect(try read([0x61]) == "a")
    }

    @Test func `a named pipe with a password is opened only when it is read, or its writer would be lost`() throws {
        #expect(mkfifo(path, 0o600) == 0)
        var settings = Settings()
        settings.publishing.passwordFile = path
        let path = path
        let writer = try NativeThread {
            // Waits for the reader.
            let descriptor = open(path, O_WRONLY | O_CLOEXEC)
            _ = write(descriptor, "secret\n", 7)
            close(descriptor)
        }
        try OptionFiles.check(settings, [:])
        #expect(try SecretFile.read(path, credentials: nil) == "secret")
        writer.join()
    }

    @Test func `an empty file has no password`() throws {
        #expect(chmod(try scratch.write([], to: "secret"), 0o600) == 0)
        #expect(try SecretFile.read(path, credentials: nil) == nil)
    }

    @Test func `a name without a slash is that of a credential`() throws {
        try scratch.write("secret", to: "secret")
        #expect(try SecretFile.read("secret", credentials: scratch.url.path) == "secret")
        #expect(throws: UsageError.self) { try SecretFile.read("secret", credentials: nil) }
    }

    @Test func `a file that does not exist is an error with its path`() throws {
        let error = #expect(throws: UsageError.self) { try SecretFile.read("/nonexistent/x", credentials: nil) }
        #expect(error?.message == "cannot read /nonexistent/x: No such file or directory")
    }
}
