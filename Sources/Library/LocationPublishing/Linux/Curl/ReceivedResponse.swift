/// A response while it arrives.
final class ReceivedResponse {
    /// The size of all headers together from which a response is refused.
    static let headerLimit = 65_536

    /// The response as far as it has arrived.
    private(set) var response = HTTPResponse(status: 0)
    /// The error of a part that has become too large, if any.
    private(set) var excess: HTTPError?

    private let sizeLimit: Int
    private var headerSize = 0
    private var isInHeaders = false

    init(sizeLimit: Int) {
        self.sizeLimit = sizeLimit
    }

    /// Appends a line of the headers; returns `false` if they are too large.
    func appendHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headerSize += line.count
        guard headerSize <= Self.headerLimit else {
            excess = .headersTooLarge(limit: Self.headerLimit)
            return false
        }
        let isEnd: (UInt8) -> Bool = { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
        let text = line[..<(line.firstIndex(where: isEnd) ?? line.endIndex)]
        if text.starts(with: "HTTP/".utf8) {
            // A response begins; what came before was an interim one, such as "100 Continue".
            let code = text.split(separator: UInt8(ascii: " "), maxSplits: 2).dropFirst().first ?? []
            response = HTTPResponse(status: Int(String(decoding: code, as: UTF8.self)) ?? 0)
            isInHeaders = true
        } else if text.isEmpty {
            // A field after the body is a trailer.
            isInHeaders = false
        } else if isInHeaders {
            appendField(text)
        }
        return true
    }

    private func appendField(_ line: Slice<UnsafeRawBufferPointer>) {
        if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
            response.headers.continueLast(String(decoding: line, as: UTF8.self))
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            response.headers.append(
                String(decoding: line[..<colon], as: UTF8.self),
                String(decoding: line[(colon + 1)...], as: UTF8.self))
        }
    }

    /// Appends bytes of the body; returns `false` if it is too large.
    func appendBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard response.body.count + bytes.count <= sizeLimit else {
            excess = .tooLarge(limit: sizeLimit)
            return false
        }
        response.body.append(contentsOf: bytes)
        return true
    }
}
