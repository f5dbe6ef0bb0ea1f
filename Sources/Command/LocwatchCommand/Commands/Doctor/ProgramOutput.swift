import Glibc
import LocwatchPlatform

/// The standard output of another program.
enum ProgramOutput {
    /// Returns up to 16 kB of text, or `nil` if the program does not start or does not exit with 0 in time.
    static func text(of path: String, _ arguments: [String], within limit: Duration) -> String? {
        guard let pipe = try? PrivatePipe() else { return nil }
        let (near, far) = (pipe.readEnd, pipe.writeEnd)
        defer { close(near) }
        let deadline = ContinuousClock.now + limit
        let child = try? ChildProcess(
            path: path, arguments: arguments,
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C", "SYSTEMD_PAGER": ""], output: far,
            grace: .milliseconds(100))
        close(far)
        guard let child else { return nil }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count < 16_384 {
            let left = deadline - ContinuousClock.now
            guard left > .zero, PollSet.wait(for: near, within: left) else { return nil }
            let count = read(near, &chunk, chunk.count)
            if count <= 0 { break }
            bytes += chunk.prefix(count)
        }
        guard child.wait(for: max(.zero, deadline - .now)) == .exited(0) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
