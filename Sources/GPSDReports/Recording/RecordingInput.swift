import Glibc
package import LocationCore

/// An open recording: a file, a pipe, or standard input.
package struct RecordingInput: Sendable {
    /// What to poll for reading.
    package let descriptor: Int32
    /// What messages call it.
    package let name: String
    private let isOwned: Bool

    /// Opens a file, or standard input for `-`; see `init(file:)`.
    package init(path: String) throws(LocationError) {
        if path == "-" {
            self.init(descriptor: STDIN_FILENO, name: "standard input")
        } else {
            try self.init(file: path)
        }
    }

    /// Opens a file without waiting for the writer of a named pipe: wait, or poll, before you read.
    package init(file: String) throws(LocationError) {
        descriptor = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        name = file
        isOwned = true
        if descriptor < 0 { throw unreadable(errno) }
    }

    /// What is open already, and stays so after `close()`.
    package init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
        isOwned = false
    }

    /// The size of a file; `nil` for what may come at any time.
    package var fileSize: Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Reads what is there; 0 bytes at the end, `nil` where nothing has come yet.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(LocationError) -> Int? {
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            let code = errno
            if count >= 0 { return count }
            if code == EAGAIN { return nil }
            if code != EINTR { throw unreadable(code) }
        }
    }

    /// All of it; waits until it has come.
    package func contents() throws(LocationError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 1)
        defer { buffer.deallocate() }
        var bytes: [UInt8] = []
        while true {
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            while poll(&watched, 1, -1) < 0, errno == EINTR {}
            guard let count = try read(into: buffer) else { continue }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Gives back what was opened; nothing is read any more.
    package func close() {
        if isOwned { Glibc.close(descriptor) }
    }

    /// The error of a recording that cannot be read, for a reason of the system.
    func unreadable(_ code: Int32) -> LocationError { .unreadable(name, code) }
}

extension LocationError {
    /// The error of a file that cannot be read: a denial if the rights are missing.
    package static func unreadable(_ path: String, _ code: Int32) -> LocationError {
        let cause = String(cString: strerror(code))
        return code == EACCES ? .denied(what: "reading \(path)", cause: cause) : .unreadable(path: path, cause: cause)
    }
}
