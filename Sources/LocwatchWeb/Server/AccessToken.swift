/// A token that every request for data must have.
package struct AccessToken: Sendable {
    /// The name of the cookie in which a browser keeps the token.
    static let cookie = "locwatch"
    /// The shortest token, which cannot be guessed through a network if it is random.
    package static let shortest = 16
    /// The longest token.
    package static let longest = 256

    private let bytes: [UInt8]

    /// Creates a token, or returns `nil` if it is too short or has characters that no header can contain.
    init?(_ text: String) {
        let extra = Array("-._~+/=".utf8)
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: extra.contains(byte)
            }
        }
        guard isPlain, Self.shortest...Self.longest ~= text.utf8.count else { return nil }
        bytes = Array(text.utf8)
    }

    /// Returns whether a request has the token, as Bearer or in its cookie.
    func isIn(_ request: WebRequest) -> Bool {
        isIn(authorization: request.authorization) || isIn(cookies: request.cookie)
    }

    /// Returns whether the header Authorization has the token.
    func isIn(authorization: String?) -> Bool {
        guard let authorization else { return false }
        let scheme = authorization.utf8.prefix(7)
        guard String(decoding: scheme, as: UTF8.self).lowercased() == "bearer " else { return false }
        return equals(authorization.utf8.dropFirst(7))
    }

    private func isIn(cookies: String?) -> Bool {
        guard let cookies else { return false }
        var isIn = false
        for pair in cookies.split(separator: ";") {
            let pair = pair.utf8.drop { $0 == UInt8(ascii: " ") }
            let name = Array("\(Self.cookie)=".utf8)
            if pair.starts(with: name), equals(pair.dropFirst(name.count)) { isIn = true }
        }
        return isIn
    }

    /// Compares in a time that depends on the given text only, so that it reveals nothing about the token.
    private func equals(_ other: some Collection<UInt8>) -> Bool {
        var difference = UInt(bitPattern: other.count) ^ UInt(bitPattern: bytes.count)
        for (place, byte) in other.enumerated() { difference |= UInt(byte ^ bytes[place % bytes.count]) }
        return difference == 0
    }

    /// Returns the header with which a browser gets the token as a cookie that no script can read and no other site can
    /// send, and that a browser with an encrypted connection sends over such connections only.
    func cookieHeader(isEncrypted: Bool) -> (name: String, value: String) {
        let value = "\(Self.cookie)=\(String(decoding: bytes, as: UTF8.self)); Path=/; HttpOnly; SameSite=Strict"
        return ("Set-Cookie", value + "; Max-Age=31536000" + (isEncrypted ? "; Secure" : ""))
    }
}
