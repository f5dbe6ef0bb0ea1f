import Glibc
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
}
