import Foundation
import TestSupport
import Testing

/// `publish` while the disk of its queue stands still, as an SD card does for seconds.
@Suite(.serialized, .withFew, .onlyInMakeTest) struct StuckDiskTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// The number of hooks that have run.
    private var hooks: Int { (try? scratch.text("hooks"))?.utf8.count ?? 0 }

    @Test func `while the disk stands still, at the start and later, gpsd is read and hooks keep their pace`()
        async throws
    {
        let library = try scratch.compile(program: "stuckdisk.c", to: "stuckdisk.so", ["-shared", "-fPIC"])
        let drive = try scratch.write(RecordedDrive.text(points: 3000), to: "drive.json").path
        let served = try await ServedSession(drive, pace: "20x")
        let receiver = ReservedPort(receivesDatagrams: true)
        defer { close(receiver.descriptor) }
        var datagram = pollfd(fd: receiver.descriptor, events: Int16(POLLIN), revents: 0)

        let stop = try scratch.write("", to: "stop").path
        let run = try Locwatch(
            "export LD_PRELOAD=\(library) DISK_STOPS=\(stop); exec $LW publish --queue queue --on 'every=printf x >>hooks' "
                + "udp://127.0.0.1:\(receiver.number) \(served.source)", folder: scratch.url)
        try await run.wait { $0.errors.contains("the disk stands still") && hooks >= 10 }
        #expect(poll(&datagram, 1, 0) == 0, "a record is sent when it is stored")
        unlink(stop)
        try await run.wait { _ in poll(&datagram, 1, 0) == 1 }

        let (before, earlier) = (run.errors.count, hooks)
        try scratch.write("", to: "stop")
        try await run.wait { $0.errors.count > before && hooks >= earlier + 10 }
        unlink(stop)
        #expect(try await run.end(by: SIGTERM) == 128 + SIGTERM, "\(run.errors)")
        #expect(!run.errors.contains("lost"), "\(run.errors)")
    }
}
