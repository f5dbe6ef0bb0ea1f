import Foundation

/// What `--json` has printed.
enum Events {
    /// How many instants have a position; some are told more than once, with more each time.
    static func instants(in output: String) throws -> Int {
        Set(try of("location", in: output).map { $0["time"] as? String }).count
    }

    /// The objects of a kind, in their order.
    static func of(_ kind: String, in output: String) throws -> [[String: Any]] {
        try output.split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }.filter { $0["event"] as? String == kind }
    }
}
