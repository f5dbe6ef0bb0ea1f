/// Cuts what a client sends into requests, however many come in a segment or however many segments one takes.
struct ClientRequests {
    /// No request is longer than this; what is, is none.
    private static let limit = 16_384

    private var pending: [UInt8] = []
    private var isInString = false
    private var isEscaped = false

    /// Takes bytes and gives the requests that are complete, each with its `;` if it has one.
    mutating func feed(_ bytes: some Sequence<UInt8>) -> [String] {
        var requests: [String] = []
        for byte in bytes {
            let isEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            if !isEnd { pending.append(byte) }
            if isInString, !isEnd {
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if isEnd || byte == UInt8(ascii: ";") || pending.count > Self.limit {
                let request = pending.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                if !request.isEmpty, request.first != UInt8(ascii: ";") {
                    requests.append(String(decoding: request, as: UTF8.self))
                }
                pending = []
                isInString = false
                isEscaped = false
            }
        }
        return requests
    }
}
