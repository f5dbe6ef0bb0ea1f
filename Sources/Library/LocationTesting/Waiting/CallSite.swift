/// The place of a call in a test, which failures report.
public struct CallSite: Hashable, Sendable, CustomStringConvertible {
    /// The module and the file, as in `AppTests/ModelTests.swift`.
    public var fileID: String
    /// The line.
    public var line: Int

    /// Creates a call site; by default that of the caller.
    public init(fileID: String = #fileID, line: Int = #line) {
        self.fileID = fileID
        self.line = line
    }

    /// The file and the line, as in `AppTests/ModelTests.swift:12`.
    public var description: String { "\(fileID):\(line)" }
}
