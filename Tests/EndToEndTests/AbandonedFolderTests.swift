import Foundation
import LocwatchPlatform
import TestSupport
import Testing

/// The temporary folders that a killed program leaves behind.
@Suite(.serialized, .alone) struct AbandonedFolderTests {
    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    @Test func `the folder of a killed program is removed when the next program starts`() throws {
        let first = try GPSDHolder()
        #expect(mode(first.folder) != nil)
        first.end(by: SIGKILL)
        #expect(mode(first.folder) != nil)
        let second = try GPSDHolder()
        #expect(mode(first.folder) == nil)
        #expect(mode(second.folder) != nil)
        second.end(by: SIGKILL)
        for word in ["locwatch", "locwatch-gpsd"] { try TemporaryFolder(word).remove() }
        #expect(mode(second.folder) == nil)
    }
}
