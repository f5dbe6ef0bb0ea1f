import Foundation
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchPlatform

@Suite struct ChildProcessTests {
    /// Returns the output and the ending of a shell command.
    private func run(
        _ command: String, input: Int32? = nil, sockets: [Int32] = [], confinement: Confinement? = nil
    ) throws -> (text: String, ending: ChildProcess.Ending?) {
        let pipe = try PrivatePipe()
        let child = try ChildProcess(
            path: "/bin/sh", arguments: ["-c", command], environment: ["PATH": "/usr/bin:/bin"],
            input: input, output: pipe.writeEnd, sockets: sockets, confinement: confinement)
        close(pipe.writeEnd)
        let output = FileHandle(fileDescriptor: pipe.readEnd, closeOnDealloc: true)
        let text = String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self)
        return (text, child.wait(for: .seconds(60)))
    }

    @Test func `sockets arrive from descriptor 3 on and are announced as by systemd`() throws {
        let files = try ["/etc/passwd", "/etc/group"].map { path in
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            try #require(descriptor >= 0)
            return descriptor
        }
        defer { files.forEach { close($0) } }
        let answer = try run(
            "test $((1$LISTEN_PID - 10000000000)) = $$ && echo $LISTEN_FDS; readlink /proc/$$/fd/3 /proc/$$/fd/4",
            sockets: files)
        #expect(answer.text == "2\n/etc/passwd\n/etc/group\n")
        #expect(try run("echo $LISTEN_FDS$LISTEN_PID").text == "\n", "without sockets nothing is announced")
    }

    @Test func `sockets keep their order regardless of their numbers`() throws {
        let passwd = open("/etc/passwd", O_RDONLY | O_CLOEXEC)
        defer { close(passwd) }
        // 2 is a target of the child's own descriptors.
        let answer = try run("readlink /proc/$$/fd/3 /proc/$$/fd/4 | head -1", sockets: [passwd, 2])
        #expect(answer.text == "/etc/passwd\n")
    }

    @Test func `a child reads a file in memory, or does not, however long it is`() throws {
        let bytes = [UInt8](repeating: 0x41, count: 1_000_000)
        for (command, expected) in [("wc -c", "1000000\n"), ("echo none", "none\n")] {
            let input = try MemoryInput(bytes)
            let answer = try run(command, input: input.descriptor)
            #expect(answer.text == expected && answer.ending == .exited(0))
            withExtendedLifetime(input) {}
        }
    }

    @Test func `a poll loop sees the end of a child, which it has requested without waiting`() throws {
        let child = try ChildProcess(path: "/bin/sleep", arguments: ["1000"], environment: [:])
        var watched = pollfd(fd: child.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&watched, 1, 0) == 0)
        #expect(child.endingIfAny == nil)
        child.requestEnd()
        #expect(poll(&watched, 1, 60_000) == 1)
        #expect(child.endingIfAny == .signalled(SIGTERM))
    }

    @Test func `a child can be prevented from making shared memory`() throws {
        #expect(try run("ipcmk -M 64 2>&1", confinement: .withoutSharedMemory).ending == .exited(1))
        #expect(try run("id=$(ipcmk -M 64) && ipcrm -m ${id##* }").ending == .exited(0))
    }

    @Test(arguments: ["kill -STOP $PPID; exit 3", "sleep .2; kill -STOP $PPID; exit 3"])
    func `the end of a child that stops its parent is noticed`(command: String) throws {
        let child = try ChildProcess(path: "/bin/sh", arguments: ["-c", command], environment: [:])
        #expect(child.wait(for: .seconds(60)) == .exited(3))
    }

    @Test(arguments: [
        "read go; kill -STOP $PPID; trap '' TERM; while :; do sleep 1; done", "while :; do kill -STOP $PPID; done",
    ])
    func `a child that stops its parent, once or without end, ends with its owner, and the parent too`(
        command: String
    ) async throws {
        var processes: [RunningProcess] = []
        let pipe = try PrivatePipe()
        defer { for end in [pipe.readEnd, pipe.writeEnd] { close(end) } }
        do {
            let child = try ChildProcess(
                path: "/bin/sh", arguments: ["-c", command], environment: ["PATH": "/usr/bin:/bin"],
                input: pipe.readEnd)
            // A stop before the report of the start would be over by now.
            try #require(write(pipe.writeEnd, "\n", 1) == 1)
            let process = RunningProcess(child.processID)
            let keeper = RunningProcess(try #require(process.status("PPid").flatMap { Int32($0) }))
            processes = [process, keeper]
            try await eventually(
                "the stop", within: .seconds(60), { keeper.status("State") ?? "" }, is: { $0.hasPrefix("T") })
        } catch let failure as SystemFailure {
            // A keeper that never runs again is killed before it reports the start.
            #expect(failure.code == EPIPE)
        }
        for process in processes {
            try await eventually("the end", within: .seconds(60), { process.isRunning }, is: { !$0 })
        }
    }

    @Test func `a child ends with its keeper`() async throws { try await endKeeper(changingUser: false) }

    @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
    func `a child that has become another user ends with its keeper`() async throws {
        try await endKeeper(changingUser: true)
    }

    private func endKeeper(changingUser changesUser: Bool) async throws {
        let child = try ChildProcess(
            path: "/usr/bin/setpriv",
            arguments: (changesUser ? ["--reuid", "nobody"] : []) + ["--", "/bin/sleep", "1000"],
            environment: [:])
        let process = RunningProcess(child.processID)
        // Once the child is `sleep`, it has changed its user.
        try await eventually("the program", within: .seconds(60), { process.status("Name") }, is: { $0 == "sleep" })
        let keeper = try #require(process.status("PPid").flatMap { Int32($0) })
        #expect(kill(keeper, SIGKILL) == 0)
        try await eventually("the end", within: .seconds(60), { process.isRunning }, is: { !$0 })
        #expect(child.wait(for: .seconds(60)) == .unknown)
    }
}
