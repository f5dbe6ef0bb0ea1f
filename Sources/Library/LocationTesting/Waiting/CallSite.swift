/// The place of a call in a test, which failures report.
package struct CallSite: Hashable, Sendable, CustomStringConvertible {
    /// The module and the file, as in `AppTests/ModelTests.swift`.
    package var fileID: String
    package var line: Int

    /// Creates a call site; by default that of the caller.
    package init(fileID: String = #fileID, line: Int = #line) {
        self.fileID = fileID
        self.line = line
    }

    /// The file and the line, as in `AppTests/ModelTests.swift:12`.
    package var description: String { "\(fileID):\(line)" }
}
