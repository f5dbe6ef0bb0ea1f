import Glibc
import Platform

/// Standard output or standard error.
enum StandardStream: Int32 {
    case output = 1
    case error = 2

    /// Writes everything, also where the system takes it in pieces; answers with what went wrong, if something did.
    @discardableResult
    func write(_ text: String) -> OutputFailure? {
        var text = text
        return text.withUTF8 { WholeWrite.write(UnsafeRawBufferPointer($0), to: rawValue) }
            .map { OutputFailure(errno: $0) }
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
