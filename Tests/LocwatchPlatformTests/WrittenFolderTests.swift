import Foundation
import TestSupport
import Testing

@testable import LocwatchPlatform

@Suite struct WrittenFolderTests {
    @Test(arguments: [
        ("/m", "/"), ("/dev/t.gpx", "/dev"), ("//dev/../t.gpx", "/"), ("/sys/t.gpx", "/sys"), ("/proc/t.gpx", "/proc"),
    ])
    func `a file in a folder of the system needs the folder`(path: String, folder: String) {
        #expect(WrittenFolder.ofSystem(around: path) == folder)
    }

    @Test(arguments: ["/dev/null", "/dev/tty", "/", "/tmp/t.gpx", "/no/such/folder/t.gpx", "t.gpx", "-"])
    func `a device, a folder and any other file need none`(path: String) {
        #expect(WrittenFolder.ofSystem(around: path) == nil)
    }

    @Test func `a link to a folder of the system is that folder`() throws {
        let scratch = try Scratch()
        try FileManager.default.createSymbolicLink(atPath: scratch.path("root"), withDestinationPath: "/")
        #expect(WrittenFolder.ofSystem(around: scratch.path("root/t.gpx")) == "/")
        #expect(WrittenFolder.isOfSystem(scratch.path("root/dev")))
        #expect(!WrittenFolder.isOfSystem(scratch.path("root/tmp")))
    }
}
