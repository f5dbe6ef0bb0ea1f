import Glibc
import LocationPublishing
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The check of a target that programs open at a path: whether what is there is served.
enum PathProbe {
    /// Returns the finding about a path, which a command serves.
    static func finding(_ path: String, _ kind: TargetEncoder.EncoderEntry, publish: String) -> Finding {
        let place = path.printable
        let start = "start '\(publish)', and then the program"
        var found = stat()
        guard lstat(path, &found) == 0 else {
            guard access(WrittenFolder.around(path), W_OK | X_OK) == 0 else {
                return .fault(
                    .cannotCreate, "nothing can be made at \(place)",
                    why: SystemFailure("open the folder", code: errno).reason,
                    remedy: "choose a path in another folder")
            }
            return .remark("programs open \(place)", why: "it exists only while locwatch publishes", remedy: start)
        }
        guard found.st_mode & S_IFMT == kind.fileType else {
            return .fault(
                .cannotCreate, "\(place) is something else", why: "locwatch publish does not replace it",
                remedy: "choose another path, or remove it")
        }
        let isServed =
            switch kind {
            case .socket: answers(path)
            case .terminal: stat(path, &found) == 0
            case .pipe, .file: true
            }
        guard isServed else {
            return .remark("nothing serves \(place)", why: "a locwatch that was killed left it", remedy: start)
        }
        return .ok("programs open \(place), which is there")
    }

    private static func answers(_ path: String) -> Bool {
        do throws(SystemFailure) {
            close(try UnixAddress.connect(to: path, within: .zero))
            return true
        } catch {
            // A queue of connections that is full is one of a program that listens.
            return error.code == EAGAIN
        }
    }
}

extension TargetEncoder.EncoderEntry {
    fileprivate var fileType: mode_t {
        switch self {
        case .terminal: S_IFLNK
        case .pipe: S_IFIFO
        case .socket: S_IFSOCK
        case .file: S_IFREG
        }
    }
}
