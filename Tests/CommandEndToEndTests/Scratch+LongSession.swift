import Foundation
import TestSupport

extension Scratch {
    /// Writes a recording of 2.8 MB, much more than fits into a pipe.
    func writeLongSession(_ name: String = "long.json") throws {
        let walk = try Data(contentsOf: URL(filePath: Locwatch.fixture("walk")))
        try (0..<40).reduce(into: Data()) { data, _ in data += walk }.write(to: url.appending(path: name))
    }
}
