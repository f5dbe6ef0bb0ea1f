import Foundation
import LocwatchPlatform
import Testing

@Suite struct TemporaryFolderTests {
    /// A word that no other test uses.
    private let word = "locwatch-test\(UInt32.random(in: 0...UInt32.max))"

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    /// Creates a folder as a killed program leaves it.
    private func leftFolder(_ suffix: String) throws -> String {
        let path = "/tmp/\(word)-\(suffix)"
        try #require(mkdir(path, 0o700) == 0 && chmod(path, 0o1755) == 0)
        return path
    }

    @Test func `every user may enter a folder, and it is removed with its links`() throws {
        let folder = try TemporaryFolder(word)
        #expect(folder.path.hasPrefix("/tmp/\(word)-") && mode(folder.path) == 0o1755)
        #expect(symlink("/dev/pts/99999", folder.path + "/receiver") == 0)
        folder.remove()
        #expect(mode(folder.path) == nil)
    }

    @Test func `a folder is below another one that is given, where a stale one is removed too`() throws {
        let parent = try TemporaryFolder(word)
        defer { parent.remove() }
        let left = "\(parent.path)/\(word)-AbCd12"
        try #require(mkdir(left, 0o700) == 0 && chmod(left, 0o1755) == 0)
        let folder = try TemporaryFolder(word, in: parent.path)
        #expect(folder.path.hasPrefix("\(parent.path)/\(word)-"))
        #expect(mode(left) == nil)
        folder.remove()
        #expect(mode(folder.path) == nil)
        let failure = #expect(throws: SystemFailure.self) { try TemporaryFolder(word, in: "/nowhere") }
        #expect(failure?.description == "cannot make a folder in /nowhere: No such file or directory")
    }

    @Test func `only a folder whose program is gone is removed`() throws {
        let folder = try TemporaryFolder(word)
        #expect(symlink("/dev/pts/99999", folder.path + "/receiver") == 0)
        let left = try leftFolder("AbCd12")
        #expect(symlink("/dev/pts/99999", left + "/receiver") == 0)
        let next = try TemporaryFolder(word)
        #expect(mode(folder.path) == 0o1755)
        #expect(mode(left) == nil)
        folder.remove()
        next.remove()
    }

    @Test(arguments: ["a file", "a link elsewhere", "another mode", "another name", "a link to a folder"])
    func `a folder that may not be a stale one is left alone`(_ kind: String) throws {
        let path = try leftFolder(kind == "another name" ? "backups" : "backup")
        defer { try? FileManager.default.removeItem(atPath: path) }
        switch kind {
        case "a file": try Data().write(to: URL(filePath: path + "/receiver"))
        case "a link elsewhere": #expect(symlink("/dev/null", path + "/receiver") == 0)
        case "another mode": #expect(chmod(path, 0o755) == 0)
        case "a link to a folder":
            #expect(rename(path, path + "-real") == 0 && symlink(path + "-real", path) == 0)
        default: break
        }
        try TemporaryFolder(word).remove()
        #expect(mode(path) != nil)
        if kind == "a link to a folder" { #expect(mode(path + "-real") != nil && rmdir(path + "-real") == 0) }
        if kind == "a file" || kind == "a link elsewhere" { #expect(mode(path + "/receiver") != nil) }
    }
}
