import Foundation
import Testing

/// A parser of the output of `--json`.
enum Events {
    /// Returns the events of a kind, in order.
    static func of(_ kind: String, in output: String) throws -> [[String: Any]] {
        try all(in: output).filter { $0["event"] as? String == kind }
    }

    /// Returns all events, each of which is a line.
    static func all(in output: String) throws -> [[String: Any]] {
        try output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }
}
