import Glibc

/// Standard output or standard error.
enum StandardStream: Int32 {
    case output = 1
    case error = 2

    /// Writes everything, also where the system takes it in pieces; `false` where it fails.
    func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(rawValue, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    return false
                }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}

/// The environment of the process.
enum ProcessEnvironment {
    static var variables: [String: String] {
        var variables: [String: String] = [:]
        guard var next = environ as UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? else { return variables }
        while let entry = next.pointee {
            let pair = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { variables[String(pair[0])] = String(pair[1]) }
            next += 1
        }
        return variables
    }
}
