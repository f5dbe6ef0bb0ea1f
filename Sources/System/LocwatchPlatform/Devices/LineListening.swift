import Glibc

/// A serial line that is read directly, without a gpsd and without writing to it.
package enum LineListening {
    /// The limit of the bytes that are kept.
    private static let limit = 16_384

    /// Returns the bytes that a line sends, or `nil` if it cannot be opened.
    ///
    /// The settings of the line are restored at the end.
    ///
    /// - Parameters:
    ///   - speed: The speed in bits per second, or `nil` to keep the current one.
    ///   - isEnough: Whether the bytes so far are enough.
    package static func bytes(
        from path: String, at speed: Int?, within time: Duration, until isEnough: ([UInt8]) -> Bool = { _ in false }
    ) -> [UInt8]? {
        let line = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard line >= 0 else { return nil }
        defer { close(line) }
        var before = termios()
        guard tcgetattr(line, &before) == 0 else { return nil }
        var settings = before
        cfmakeraw(&settings)
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
        if let speed, cfsetspeed(&settings, speed_t(speed)) != 0 { return nil }
        guard tcsetattr(line, TCSANOW, &settings) == 0 else { return nil }
        defer { _ = tcsetattr(line, TCSANOW, &before) }
        // Bytes that came at another speed prove nothing.
        tcflush(line, TCIFLUSH)
        let deadline = ContinuousClock.now + time
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1024)
        while bytes.count < limit, !isEnough(bytes) {
            let left = deadline - .now
            guard left > .zero, PollSet.wait(for: line, within: left) else { break }
            let count = read(line, &chunk, chunk.count)
            // A line that hangs up can be read without a byte, for ever.
            guard count > 0 else { break }
            bytes += chunk.prefix(count)
        }
        return bytes
    }
}
