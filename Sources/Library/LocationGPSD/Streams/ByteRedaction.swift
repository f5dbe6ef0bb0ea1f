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
        return String(decoding: whole.apply(to: text.utf8) + whole.rest, as: UTF8.self)
    }

    /// Forgets the bytes that are kept, because another stream begins.
    mutating func restart() { rest = [] }

    /// Returns the bytes to pass on, and keeps those that can be the beginning of the secret.
    mutating func apply(to piece: some Collection<UInt8>) -> [UInt8] {
        var bytes = (rest + piece)[...]
        rest = []
        var passed: [UInt8] = []
        while let byte = bytes.first {
            if bytes.starts(with: secret) {
                passed += replacement
                bytes.removeFirst(secret.count)
            } else if bytes.count < secret.count, secret.starts(with: bytes) {
                rest = Array(bytes)
                return passed
            } else {
                passed.append(byte)
                bytes.removeFirst()
            }
        }
        return passed
    }
}
