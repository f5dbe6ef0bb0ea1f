import Glibc
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchPlatform

/// The ends that nothing waits for.
@Suite(.serialized, .withFew, .timeLimit(.minutes(5))) struct EndingsTests {
    @Test func `work runs on another thread, and a program that ends can wait for it`() throws {
        let (goes, isDone) = (try Event(), try Event())
        Endings.run {
            goes.wait()
            isDone.happen()
        }
        #expect(!Endings.wait(within: .zero))
        goes.happen()
        while !Endings.wait(within: .seconds(60)) {}
        #expect(isDone.hasHappened)
    }

    @Test func `a child that ignores the request to end is released without a wait, and ends`() async throws {
        let pipe = try PrivatePipe()
        var child: ChildProcess? = try ChildProcess(
            path: "/bin/sh", arguments: ["-c", "trap '' TERM; echo; while :; do sleep 1000; done"],
            environment: ["PATH": "/usr/bin:/bin"], output: pipe.writeEnd, grace: .seconds(100_000))
        close(pipe.writeEnd)
        defer { close(pipe.readEnd) }
        var byte: UInt8 = 0
        try #require(read(pipe.readEnd, &byte, 1) == 1)
        let process = RunningProcess(try #require(child?.processID))
        child = nil
        #expect(process.isRunning)
        kill(process.id, SIGKILL)
        #expect(read(pipe.readEnd, &byte, 1) == 0, "its group has ended, too")
        try await eventually("the end", within: .seconds(60), { process.isRunning }, is: { !$0 })
    }
}
