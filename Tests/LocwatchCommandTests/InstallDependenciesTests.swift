import Foundation
import TestSupport
import Testing

struct InstallDependenciesTests {
    /// Runs the script on a machine without any of the packages and returns the apt-get commands in order.
    private func calls(lists: Bool, age: TimeInterval = 0, failing: Int = 0) throws -> [String] {
        let scratch = try Scratch()
        let log = scratch.url.appending(path: "log")
        let programs = [
            "swift": "", "dpkg-query": "exit 1", "id": "echo 0",
            // The first `failing` installations fail.
            "apt-get": """
            for word; do case $word in install|update) break ;; esac; done
            echo "$word" >>'\(log.path)'
            [ "$word" = update ] || [ "$(grep -c install '\(log.path)')" -gt \(failing) ]
            """,
        ]
        for (name, body) in programs {
            let file = try scratch.write("#!/bin/sh\n\(body)\n", to: "bin-\(name)")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
            let folder = scratch.url.appending(path: "bin")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.moveItem(at: file, to: folder.appending(path: name))
        }
        let folder = scratch.url.appending(path: "lists")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if lists { _ = try scratch.write("", to: "lists/deb.debian.org_main_binary-amd64_Packages.lz4") }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: folder.path)
        let tool = try Tool(
            Golden.package.appending(path: "Tools/setup/install-dependencies").path, ["run"],
            environment: ["PATH": "\(scratch.url.path)/bin:/usr/bin:/bin", "APT_LISTS": folder.path])
        #expect(tool.status == 0, "\(tool.errors)")
        return try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test func `a machine without package lists fetches them before installing`() throws {
        #expect(try calls(lists: false) == ["update", "install"])
    }

    @Test func `old package lists are refreshed, and fresh ones are not`() throws {
        #expect(try calls(lists: true, age: 30 * 86_400) == ["update", "install"])
        #expect(try calls(lists: true) == ["install"])
    }

    @Test func `a failed installation is retried with fresh lists`() throws {
        #expect(try calls(lists: true, failing: 1) == ["install", "update", "install"])
    }
}
