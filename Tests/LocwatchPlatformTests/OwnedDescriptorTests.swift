import Glibc
import Testing

@testable import LocwatchPlatform

@Suite(.serialized) struct OwnedDescriptorTests {
    /// The connection that a private gpsd needs as long as it runs has such an owner, also if the feed of its corrections does not start.
    @Test func `a descriptor is closed with its last owner`() throws {
        let pipe = try PrivatePipe()
        var owners = [OwnedDescriptor(pipe.writeEnd)]
        owners.append(owners[0])
        _ = fcntl(pipe.readEnd, F_SETFL, O_NONBLOCK)
        defer { close(pipe.readEnd) }
        var byte: UInt8 = 0
        owners.removeLast()
        #expect(read(pipe.readEnd, &byte, 1) == -1 && errno == EAGAIN)
        owners.removeLast()
        #expect(read(pipe.readEnd, &byte, 1) == 0)
    }
}
