import Glibc
import LocationTesting
import Testing

@testable import LocwatchPlatform

@Suite struct DeviceHolderTests {
    @Test func `a child is a process of this one until it ends, and other processes are not`() throws {
        let child = try ChildProcess(path: "/bin/sleep", arguments: ["60"], environment: [:])
        let holder = DeviceHolder(processID: child.processID, name: "sleep")
        // The process that watches over the child lies between them.
        #expect(holder.isOwn == true)
        child.end()
        #expect(holder.isOwn == nil, "it has ended since it was found")
        #expect(DeviceHolder(processID: 1, name: "init").isOwn == false)
        #expect(DeviceHolder(processID: getppid(), name: "the starter of the tests").isOwn == false)
    }

    @Test func `a line that is claimed cannot be claimed again until it is given up`() throws {
        let terminal = try PseudoTerminal()
        var claim = LineClaim(of: terminal.path)
        #expect(claim != nil && LineClaim(of: terminal.path) == nil)
        claim = nil
        #expect(LineClaim(of: terminal.path) != nil)
        // A path that cannot be opened is refused by the program that opens it.
        #expect(LineClaim(of: "/nonexistent") != nil && LineClaim(of: "/nonexistent") != nil)
    }

    @Test func `another locwatch is named as one, also while it has a line open itself`() {
        var holder = DeviceHolder(processID: 812, name: "gpsd")
        #expect(holder.description == "gpsd (process 812)")
        holder.owner = DeviceHolder.Owner(processID: 811, name: "locwatch")
        #expect(holder.description == "another locwatch (process 811)")
        #expect(DeviceHolder(processID: 811, name: "locwatch").description == "another locwatch (process 811)")
    }

    @Test func `of two terminals of one name, each in a mount of its own, a process holds the one that it has open`()
        async throws
    {
        let terminal = try PseudoTerminal()
        let here = try #require(DeviceIdentity(path: terminal.path))
        let child = try ChildProcess(
            path: "/bin/sh", arguments: ["-c", "exec sleep 600 <\(terminal.path)"], environment: [:])
        defer { child.end() }
        try await eventually(
            "the program has the terminal", within: .seconds(60), { DeviceHolder.all(of: here).map(\.processID) },
            is: { $0.contains(child.processID) })
        var status = stat()
        try #require(stat(terminal.path, &status) == 0)
        #expect(DeviceIdentity(status) == here)
        // The terminal with the same number and the same file number in another mount.
        status.st_dev += 1
        let elsewhere = try #require(DeviceIdentity(status))
        #expect(elsewhere != here && elsewhere.isPseudoTerminal)
        #expect(DeviceHolder.all(of: elsewhere) == [])
    }

    @Test func `a line that is none of a pseudo terminal is the same by any path`() throws {
        var status = stat()
        try #require(stat("/dev/null", &status) == 0)
        let first = try #require(DeviceIdentity(status))
        (status.st_dev, status.st_ino) = (status.st_dev + 1, status.st_ino + 1)
        #expect(DeviceIdentity(status) == first && !first.isPseudoTerminal)
        status.st_rdev += 1
        #expect(DeviceIdentity(status) != first)
        #expect(DeviceIdentity(path: "/dev") == nil && DeviceIdentity(path: "/nonexistent") == nil)
    }

    @Test(
        arguments: [
            ("gpsd", false, nil), ("gpsd\0-N\0-n", true, nil), ("/usr/sbin/gpsd\0-Nn\0/dev/ttyS0", true, nil),
            ("gpsd\0-S\u{0}29471\0-N", false, 29471), ("gpsd\0-S29471", false, 29471),
            ("gpsd\0--port=29471", false, 29471),
            ("gpsd\0--port\u{0}29471\0--nowait", true, 29471), ("gpsd\0-NS\u{0}29471", false, 29471),
            // A value is not an option, and a word is not a port.
            ("gpsd\0-F\0-n", false, nil), ("gpsd\0-P/run/n.pid\0-D\u{0}4", false, nil), ("gpsd\0-S\0x", false, nil),
            ("", false, nil),
        ] as [(String, Bool, UInt16?)])
    func `the arguments of a gpsd tell its port and whether it reads at once`(
        text: String, isEager: Bool, port: UInt16?
    ) {
        let arguments = GPSDArguments(commandLine: text + "\0")
        #expect(arguments.readsAtOnce == isEager)
        #expect(arguments.port == port)
    }

    @Test(arguments: [
        ("gpsd\0-b", true), ("gpsd\0-Nnb\0/dev/ttyS0", true), ("gpsd\0--readonly", true), ("gpsd\0-N\0-n", false),
        ("gpsd\0-F\0-b", false), ("gpsd\0-F/run/b", false),
    ])
    func `the arguments of a gpsd tell whether it writes nothing`(text: String, isReadOnly: Bool) {
        #expect(GPSDArguments(commandLine: text + "\0").isReadOnly == isReadOnly)
    }

    @Test func `a gpsd without a port of its own has the usual one, and one at port 0 has none`() {
        #expect(DeviceHolder.port(inCommandLine: "gpsd\0-N\0") == 2947)
        #expect(DeviceHolder.port(inCommandLine: "gpsd\0-S\u{0}0\0") == nil)
    }
}
