import Foundation
import TestSupport

extension GoldenFile {
    /// Creates a file of these tests.
    init(_ name: String) { self.init(name, of: URL(filePath: #filePath).deletingLastPathComponent()) }
}
