import LocwatchPlatform

/// A filter that replaces a secret in a stream of bytes, also if it arrives in pieces.
struct ByteRedaction: Hashable, Sendable {
    private let secret: [UInt8]
    private let replacement: [UInt8]
    /// The bytes at the end of the last piece that can be the beginning of the secret.
    private(set) var rest: [UInt8] = []

    /// Creates a filter for a secret that is not empty.
    init(of secret: [UInt8], as replacement: [UInt8]) {
        self.secret = secret
        self.replacement = replacement
    }

    /// Returns a whole text with the replacement.
    func applied(to text: String) -> String {
        var whole = self
        return String(decoding: whole.apply(to: Array(text.utf8)) + whole.rest, as: UTF8.self)
    }

    /// Forgets the bytes that are kept, because another stream begins.
    mutating func restart() { rest = [] }

    /// Returns whether a piece can be passed on as it is, because nothing of the secret is in it or before it.
    ///
    /// All that a private gpsd says passes through here, nearly always without the secret, so the C library searches for it.
    func isClear(_ piece: UnsafeRawBufferPointer) -> Bool {
        rest.isEmpty && secret.withUnsafeBytes { piece.range(of: $0) } == nil && beginning(in: piece) == nil
    }

    /// Returns the place of an end of some bytes that can be the beginning of the secret, if any.
    private func beginning(in bytes: UnsafeRawBufferPointer) -> Int? {
        // A longer end would be the whole secret.
        let possible = max(0, bytes.count - secret.count + 1)..<bytes.count
        return possible.first { bytes[$0] == secret[0] && secret.starts(with: bytes[$0...]) }
    }

    /// Returns the bytes to pass on, and keeps those that can be the beginning of the secret.
    mutating func apply(to piece: some Collection<UInt8>) -> [UInt8] {
        let bytes = rest + piece
        var passed: [UInt8] = []
        passed.reserveCapacity(bytes.count)
        var start = 0
        bytes.withUnsafeBytes { bytes in
            secret.withUnsafeBytes { secret in
                while let found = UnsafeRawBufferPointer(rebasing: bytes[start...]).range(of: secret) {
                    passed += bytes[start..<start + found.lowerBound]
                    passed += replacement
                    start += found.upperBound
                }
            }
        }
        let end = bytes.withUnsafeBytes { beginning(in: UnsafeRawBufferPointer(rebasing: $0[start...])) }
        let kept = end.map { start + $0 } ?? bytes.count
        passed += bytes[start..<kept]
        rest = Array(bytes[kept...])
        return passed
    }
}
