import Foundation
import TestSupport
import Testing

@testable import LocwatchPlatform

/// Each rule, tried by a hostile program.
@Suite struct ConfinementTests {
    /// Returns the result of each attempt of the hostile program under a rule.
    private func attempts(under rule: Confinement) throws -> (results: [String: String], program: HostileProgram) {
        let program = try HostileProgram(named: "hostile")
        let pipe = try PrivatePipe()
        let child = try ChildProcess(
            path: program.path, arguments: ["--report=1"], environment: [:], output: pipe.writeEnd, confinement: rule)
        close(pipe.writeEnd)
        let output = FileHandle(fileDescriptor: pipe.readEnd, closeOnDealloc: true)
        let text = String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self)
        // A program that it may run takes its place, and succeeds.
        let isSealed = rule.parts.contains(.files)
        #expect(child.wait(for: .seconds(60)) == .exited(isSealed ? 3 : 0), "\(text)")
        let pairs = text.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            return (words.dropLast().joined(separator: " "), words.last.map { String($0) } ?? "")
        }
        return (Dictionary(pairs) { $1 }, program)
    }

    private static let line = "/dev/tty"

    /// The results that do not depend on the rule.
    private static let common = [
        "read a secret": "EACCES", "read memory of the owner": "EACCES", "list processes": "EACCES",
        "read the passwords of the system": "EACCES", "use a descriptor of the shell": "EBADF",
        "write to the log of the kernel": "EACCES", "signal everyone": "EPERM",
        "map memory to write and to run": "EPERM", "run what was written": "EPERM",
        "list a folder": "EACCES", "write a file": "EACCES", "write a temporary file": "EACCES",
        "fill the disk": "EACCES", "make a folder": "ENOSYS", "remove a file": "ENOSYS", "rename a file": "ENOSYS",
        "link a file": "ENOSYS", "change a mode": "EPERM", "change an owner": "ENOSYS", "change a time": "ENOSYS",
        "change a mode by the newest call": "ENOSYS", "change a time by the oldest call": "ENOSYS",
        "change an attribute by the newest call": "ENOSYS", "remove an attribute": "ENOSYS",
        "change an attribute": "ENOSYS", "write to anonymous memory": "ENOSYS", "raise a limit": "EPERM",
        "send a message": "ENOSYS", "open a local socket": "EPERM", "open a raw socket": "EPERM",
        "open another kind of socket": "EPERM",
        "fork": "EPERM", "clone": "ENOSYS", "trace the parent": "ENOSYS", "read the memory of the owner": "ENOSYS",
        "signal the parent": "EPERM", "signal the owner": "EPERM", "signal a thread of the owner": "EPERM",
        "queue a signal for the owner": "ENOSYS", "limit the owner": "EPERM", "schedule the owner": "ENOSYS",
        "take a descriptor of the owner": "ENOSYS", "make a namespace for a child": "EPERM",
        "call by another number": "ENOSYS",
        "change the mode of an open file": "ENOSYS", "change the owner of an open file": "ENOSYS",
        "change the time of an open file": "ENOSYS", "change an attribute of an open file": "ENOSYS",
        "change flags": "ENOSYS", "truncate a file": "ENOSYS", "make a pipe": "ENOSYS", "make a link": "ENOSYS",
        "connect to a service": "EPERM", "open a pair of datagram sockets": "EPERM",
        "connect one to a service": "EPERM",
        "open the owner": "ENOSYS", "signal the open owner": "ENOSYS", "read a limit of the owner": "EPERM",
        "change the policy of the owner": "ENOSYS", "change a parameter of the owner": "ENOSYS",
        "schedule the owner by attributes": "ENOSYS", "change the priority of the owner": "ENOSYS",
        "change the priority of its reads": "ENOSYS", "change the root": "ENOSYS", "set the clock": "ENOSYS",
        "have the owner signalled": "EPERM", "type into the terminal": "EPERM",
        "take the console": "ENOSYS", "keep rights of root": "EPERM",
        "make a namespace": "ENOSYS", "mount": "ENOSYS", "load a program into the kernel": "ENOSYS",
        "use a keyring": "ENOSYS", "make a ring": "ENOSYS", "share memory": "EPERM", "watch pages": "ENOSYS",
        "measure": "ENOSYS", "use 4 GB": "ENOMEM", "run a program": "EACCES",
    ]

    /// The results of the attempts to reach the network where a rule allows no socket.
    private static let offline = [
        "open a TCP socket": "EPERM", "connect to a port": "EPERM", "listen at a port": "EPERM",
        "open a UDP socket": "EPERM", "send a datagram": "EPERM",
    ]

    @Test(
        .enabled(if: ConfinementParts.available == .all, "this kernel lacks parts of the confinement"),
        arguments: [
            (Confinement.decoder, offline),
            (.gpsdOfLog, offline),
            (.gpsd(line: line, writes: true), offline),
            (
                .gpsd(connectingTo: 65_000),
                [
                    "open a TCP socket": "done", "connect to a port": "EACCES", "listen at a port": "EPERM",
                    "open a UDP socket": "EPERM", "send a datagram": "EPERM", "connect one to a service": "EBADF",
                ]
            ),
            (
                .gpsdOfDatagrams,
                [
                    "open a TCP socket": "EPERM", "connect to a port": "EPERM", "listen at a port": "EPERM",
                    "open a UDP socket": "done", "send a datagram": "EPERM",
                ]
            ),
            (
                .gpsd(line: line, writes: false).listening(at: 65_000),
                [
                    "open a TCP socket": "done", "connect to a port": "EPERM", "listen at a port": "EACCES",
                    "open a UDP socket": "EPERM", "send a datagram": "EPERM",
                ]
            ),
        ])
    func `each attempt of a hostile child fails`(rule: Confinement, network: [String: String]) throws {
        let (results, program) = try attempts(under: rule)
        let expected = Self.common.merging(network) { $1 }
        for (name, result) in expected { #expect(results[name] == result, "\(name)") }
        #expect(results.count == expected.count, "\(Set(results.keys).symmetricDifference(expected.keys))")
        #expect(try program.traces.isEmpty)
        #expect(program.secretIsUntouched)
    }

    @Test(.enabled(if: ConfinementParts.available.contains(.calls), "this machine has no seccomp filter"))
    func `libusb works under the rule of a line, because gpsd crashes without it`() throws {
        let scratch = try Scratch()
        let path = try scratch.compile(
            """
            int libusb_init(void **); long libusb_get_device_list(void *, void ***);
            int main(void) { void **list; return libusb_init(0) != 0 || libusb_get_device_list(0, &list) < 0; }
            """, to: "usb", ["-l:libusb-1.0.so.0"])
        var rule = Confinement.gpsd(line: Self.line, writes: false)
        rule.trapsUnlisted = true
        let child = try ChildProcess(path: path, environment: [:], confinement: rule)
        #expect(child.wait(for: .seconds(60)) == .exited(0))
    }

    @Test(.enabled(if: ConfinementParts.available.contains(.calls), "this machine has no seccomp filter"))
    func `without Landlock a decoder still writes no file, runs no process and opens no socket`() throws {
        var rule = Confinement.decoder
        rule.parts = .calls
        let (results, program) = try attempts(under: rule)
        let open = [
            "read a secret", "read the passwords of the system", "read memory of the owner", "list processes",
            "list a folder", "run a program",
        ]
        let expected = Self.common.merging(Self.offline) { $1 }.filter { !open.contains($0.key) }
        for (name, result) in expected { #expect(results[name] == result, "\(name)") }
        #expect(results["read a secret"] == "done")
        #expect(try program.traces.isEmpty)
        #expect(program.secretIsUntouched)
    }

    @Test(.enabled(if: ConfinementParts.available.isSuperset(of: [.files, .calls]), "this kernel lacks parts"))
    func `before Linux 6.12 a program that starts decoders signals no other process, and raises no limit`() throws {
        var rule = Confinement.own(.decoders)
        rule.parts.remove(.signals)
        let (results, _) = try attempts(under: rule)
        for name in [
            "signal the parent", "signal the owner", "signal everyone", "signal a thread of the owner", "raise a limit",
        ] {
            #expect(results[name] == "EPERM", "\(name)")
        }
        #expect(results["signal the open owner"] == "EBADF")
    }

    @Test(
        .enabled(
            if: ConfinementParts.available.isSuperset(of: [.files, .ports, .signals]),
            "this kernel lacks parts of Landlock"))
    func `without system calls Landlock still confines files, ports and signals`() throws {
        var rule = Confinement.gpsd(connectingTo: 65_000)
        rule.parts.remove(.calls)
        let (results, program) = try attempts(under: rule)
        for (name, result) in [
            "read a secret": "EACCES", "list processes": "EACCES", "write a file": "EACCES", "make a folder": "EACCES",
            "rename a file": "EACCES", "connect to a port": "EACCES", "listen at a port": "EACCES",
            "signal the owner": "EPERM", "trace the parent": "EPERM", "run a program": "EACCES", "use 4 GB": "ENOMEM",
        ] {
            #expect(results[name] == result, "\(name)")
        }
        #expect(try program.traces.isEmpty)
    }

    @Test func `a decoder has no right of root, also on a kernel without any part`() throws {
        var rule = Confinement.decoder
        rule.parts = []
        let pipe = try PrivatePipe()
        let child = try ChildProcess(
            path: "/bin/cat", arguments: ["/proc/self/status"], environment: [:], output: pipe.writeEnd,
            confinement: rule)
        close(pipe.writeEnd)
        let output = FileHandle(fileDescriptor: pipe.readEnd, closeOnDealloc: true)
        let text = String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self)
        #expect(child.wait(for: .seconds(60)) == .exited(0))
        for line in ["CapPrm:\t0000000000000000", "CapEff:\t0000000000000000", "NoNewPrivs:\t1"] {
            #expect(text.contains("\n\(line)\n"), "\(text)")
        }
    }

    @Test(.enabled(if: ConfinementParts.available.contains(.files), "this kernel has no Landlock"))
    func `a script cannot be confined, and the error says so`() throws {
        let scratch = try Scratch()
        let script = try scratch.writeScript("exit 0", to: "gpsd")
        let error = #expect(throws: SystemFailure.self) {
            try ChildProcess(path: script, environment: [:], confinement: .decoder)
        }
        let words = "cannot start \(script) under its confinement, which allows no script: Permission denied"
        #expect(error.map { "\($0)" } == words)
        var rule = Confinement.decoder
        rule.parts = []
        #expect(try ChildProcess(path: script, environment: [:], confinement: rule).wait() == .exited(0))
    }
}
