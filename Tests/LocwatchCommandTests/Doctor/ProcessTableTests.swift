import Foundation
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchSession

@Suite struct ProcessTableTests {
    private let scratch: Scratch
    private var table: ProcessTable { ProcessTable(root: scratch.url.path) }

    init() throws { scratch = try Scratch() }

    /// Adds a process, as /proc has it.
    private func run(_ number: Int, _ command: String, user: Int = 104, start: Int = 500, in name: String? = nil) throws
    {
        let words = command.split(separator: " ").map(String.init)
        let name = name ?? words[0].split(separator: "/").last.map(String.init) ?? ""
        let folder = scratch.url.appending(path: "\(number)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let fields = (3...21).map(String.init) + ["\(start)", "23"]
        for (file, text) in [
            "comm": "\(name)\n", "cmdline": words.map { $0 + "\0" }.joined(),
            "status": "Name:\t\(name)\nUid:\t\(user)\t\(user)\t\(user)\t\(user)\nGid:\t20\t20\t20\t20\nGroups:\t20 \n",
            "stat": "\(number) (\(name)) \(fields.joined(separator: " "))\n",
        ] { try Data(text.utf8).write(to: folder.appending(path: file)) }
    }

    @Test func `each gpsd of the system is found with its user and its port, in the order of the numbers`() throws {
        try run(1200, "/usr/sbin/gpsd -n /dev/ttyACM0", user: 4_000_000)
        try run(9, "gpsd -N -S 29471 /dev/ttyS0", user: 4_000_001)
        try run(10, "/usr/sbin/gpsdctl add x")
        try run(11, "/bin/sh -c gpsd")
        let found = table.daemons
        #expect(found.map(\.account.id) == [4_000_001, 4_000_000])
        // A user without a name has its number.
        #expect(found.map(\.account.name) == ["4000001", "4000000"])
        #expect(found.map(\.port) == [29471, 2947] && found.map(\.arguments.readsAtOnce) == [false, true])
    }

    @Test func `a private gpsd of locwatch is none of the system`() throws {
        try run(7, "/usr/sbin/gpsd -N -n -S 0 /dev/ttyACM0")
        #expect(table.daemons == [])
    }

    @Test func `a process that ends while it is looked at is left out`() throws {
        for (number, file) in [(5, "cmdline"), (6, "status"), (8, "comm"), (9, "stat")] {
            try run(number, "gpsd", start: number)
            try FileManager.default.removeItem(at: scratch.url.appending(path: "\(number)/\(file)"))
        }
        try run(12, "gpsd")
        try Data().write(to: scratch.url.appending(path: "12/cmdline"))
        #expect(table.daemons.count == 1)
        #expect(table.started("gpsd") == 5)
        #expect(ProcessTable(root: "/nonexistent").daemons == [] && table.started("chronyd") == nil)
    }

    @Test(arguments: ["a) b (c", "(", ")", "x y"])
    func `the start of a process is read behind any name`(name: String) throws {
        try run(42, "/usr/sbin/chronyd", start: 77, in: name)
        #expect(table.started(name) == 77)
        try Data("42 (\(name)) S 1".utf8).write(to: scratch.url.appending(path: "42/stat"))
        #expect(table.started(name) == nil)
        try Data().write(to: scratch.url.appending(path: "42/stat"))
        #expect(table.started(name) == nil)
    }

    @Test func `the processes of this machine have this one`() throws {
        let name = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8).split(separator: "\n")[0]
        #expect((ProcessTable().started(String(name)) ?? 0) > 0)
    }
}
