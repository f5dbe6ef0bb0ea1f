import Glibc

/// The environment of the process.
package enum ProcessEnvironment {
    package static var variables: [String: String] {
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
