import Foundation
import LocwatchSupport
import TestSupport
import Testing

@testable import LocwatchPlatform

@Suite(.serialized, .alone) struct CreatedFileTests {
    /// The umask of this process, which nothing but its status tells without changing it.
    private func mask() throws -> Substring {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        return try #require(status.firstMatch(of: /Umask:\s*([0-7]+)/)).1
    }

    @Test func `a file gets its mode in spite of the umask, which other threads have meanwhile as before`() throws {
        let scratch = try Scratch()
        let before = try mask()
        let end = try Event()
        let modes = Lock<Set<mode_t>>([])
        let thread = try NativeThread {
            for number in 0..<2000 {
                let path = scratch.path("f\(number)")
                let descriptor = CreatedFile.create(path, O_RDWR | O_EXCL | O_CLOEXEC, mode: 0o666)
                var status = stat()
                _ = fstat(descriptor, &status)
                modes.withLock { _ = $0.insert(status.st_mode & 0o777) }
                close(descriptor)
                unlink(path)
            }
            end.happen()
        }
        var masks: Set<Substring> = []
        while !end.hasHappened { masks.insert(try mask()) }
        thread.join()
        #expect(modes.withLock { $0 } == [0o666] && masks.isSubset(of: [before]))
    }

    @Test func `a file that exists, or a folder that does not, is an error`() throws {
        let scratch = try Scratch()
        let path = try scratch.write("", to: "f").path
        #expect(CreatedFile.create(path, O_RDWR | O_EXCL, mode: 0o600) == -1 && errno == EEXIST)
        #expect(CreatedFile.create(scratch.path("none/f"), O_RDWR, mode: 0o600) == -1 && errno == ENOENT)
    }
}
