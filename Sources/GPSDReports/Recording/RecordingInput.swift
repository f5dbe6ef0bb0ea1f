import Glibc
package import LocationCore

/// An open recording: a file, a pipe, or standard input.
package struct RecordingInput: Sendable {
    /// The descriptor to poll for reading.
    package let descriptor: Int32
    /// The name in messages.
    package let name: String
    private let isOwned: Bool
    /// Whether the input is a regular file; determined only if it may be converted.
    private let isFile: Bool
    /// The conversion of a file of another format, if other formats can be recognized.
    private let converted: ConvertedBytes?

    /// Opens a file, or standard input for `-`; see `init(file:)`.
    package init(path: String, recognizer: RecordingRecognizer? = nil) throws(LocationError) {
        if path == "-" {
            self.init(descriptor: STDIN_FILENO, name: "standard input", recognizer: recognizer)
        } else {
            try self.init(file: path, recognizer: recognizer)
        }
    }

    /// Opens a file without waiting for the writer of a named pipe; wait or poll before reading.
    package init(file: String, recognizer: RecordingRecognizer? = nil) throws(LocationError) {
        descriptor = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        name = file
        isOwned = true
        converted = recognizer.map { ConvertedBytes($0, name: file) }
        isFile = converted != nil && Self.size(of: descriptor) != nil
        if descriptor < 0 { throw unreadable(errno) }
    }

    /// Wraps an open descriptor, which stays open after `close()`.
    package init(descriptor: Int32, name: String, recognizer: RecordingRecognizer? = nil) {
        self.descriptor = descriptor
        self.name = name
        isOwned = false
        converted = recognizer.map { ConvertedBytes($0, name: name) }
        isFile = converted != nil && Self.size(of: descriptor) != nil
    }

    /// Whether bytes are available, although the descriptor may not be readable.
    package var isReady: Bool { converted?.isReady ?? false }

    /// Returns the number of bytes that were read of the file, of which `count` bytes are the last result.
    package func fileBytes(for count: Int) -> Int { converted?.takeCount() ?? count }

    /// The size of a regular file, or `nil` for any other input.
    package var fileSize: Int? { Self.size(of: descriptor) }

    private static func size(of descriptor: Int32) -> Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Reads the available bytes; returns 0 at the end, or `nil` if none have arrived yet.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(LocationError) -> Int? {
        guard let converted else { return try readFile(into: buffer) }
        return try converted.read(into: buffer, isFile: isFile) { (buffer) throws(LocationError) in
            try readFile(into: buffer)
        }
    }

    private func readFile(into buffer: UnsafeMutableRawBufferPointer) throws(LocationError) -> Int? {
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            let code = errno
            if count >= 0 { return count }
            if code == EAGAIN { return nil }
            if code != EINTR { throw unreadable(code) }
        }
    }

    /// Reads all bytes, waiting until the end.
    package func contents() throws(LocationError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 1)
        defer { buffer.deallocate() }
        var bytes: [UInt8] = []
        while true {
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            while !isReady, poll(&watched, 1, -1) < 0, errno == EINTR {}
            guard let count = try read(into: buffer) else { continue }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Closes the descriptor if it was opened here; the input must not be used afterwards.
    package func close() {
        if isOwned { Glibc.close(descriptor) }
    }

    /// Returns the error for a recording that cannot be read, from the system's error number.
    func unreadable(_ code: Int32) -> LocationError { .unreadable(name, code) }
}

extension LocationError {
    /// Returns the error for a file that cannot be read, which is a denial if permission is missing.
    package static func unreadable(_ path: String, _ code: Int32) -> LocationError {
        let cause = String(cString: strerror(code))
        return code == EACCES ? .denied(what: "reading \(path)", cause: cause) : .unreadable(path: path, cause: cause)
    }
}
