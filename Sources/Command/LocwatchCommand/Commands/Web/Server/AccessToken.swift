import LocationCore

/// A token that every request for data must have.
struct AccessToken: Sendable {
    /// The shortest token, which cannot be guessed through a network if it is random.
    static let shortest = 16
    static let longest = 256

    private let bytes: [UInt8]
    /// The cookie that a browser keeps instead of the token: a random one, so that it is valid until the program ends.
    ///
    /// A browser sends a cookie to every port of a host, so its name has the port.
    private let cookie: (name: String, value: [UInt8])

    /// Creates the token of a page, or returns `nil` if it is too short or has characters that no header can contain.
    init?(_ text: String, port: UInt16, random: consuming some RandomNumberGenerator = SystemRandomNumberGenerator()) {
        let isPlain = text.utf8.allSatisfy { $0.isLetterOrDigit || "-._~+/=".utf8.contains($0) }
        guard isPlain, Self.shortest...Self.longest ~= text.utf8.count else { return nil }
        bytes = Array(text.utf8)
        let value = (0..<4).map { _ in (random.next() as UInt64).hexadecimal }.joined()
        cookie = ("locwatch-\(port)", Array(value.utf8))
    }

    /// Returns whether a request has the token as Bearer, or its cookie.
    func isIn(_ request: WebRequest) -> Bool {
        isIn(authorization: request.authorization) || isIn(cookies: request.cookie)
    }

    func isIn(authorization: String?) -> Bool {
        guard let authorization, authorization.prefix(7).lowercased() == "bearer " else { return false }
        return Self.equals(authorization.utf8.dropFirst(7), bytes)
    }

    private func isIn(cookies: String?) -> Bool {
        let name = "\(cookie.name)=".utf8
        return (cookies ?? "").utf8.split(separator: UInt8(ascii: ";")).contains { pair in
            let pair = pair.drop { $0 == UInt8(ascii: " ") }
            return pair.starts(with: name) && Self.equals(pair.dropFirst(name.count), cookie.value)
        }
    }

    /// Compares in a time that depends on the given text only, so that it reveals nothing about the secret.
    private static func equals(_ other: some Collection<UInt8>, _ secret: [UInt8]) -> Bool {
        var difference = UInt(bitPattern: other.count) ^ UInt(bitPattern: secret.count)
        for (place, byte) in other.enumerated() { difference |= UInt(byte ^ secret[place % secret.count]) }
        return difference == 0
    }

    /// Returns the headers with which a browser gets the cookie for a month, which no script can read and no other site can
    /// send, and which a browser with an encrypted connection sends over such connections only.
    func cookieHeaders(isEncrypted: Bool) -> [(name: String, value: String)] {
        let value = "\(cookie.name)=\(String(decoding: cookie.value, as: UTF8.self)); Path=/; HttpOnly; SameSite=Strict"
        return [("Set-Cookie", value + "; Max-Age=2592000" + (isEncrypted ? "; Secure" : ""))]
    }
}
