import LocationCore

/// An error in a script, a fault or a command of a stand-in.
public struct StandInSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from 1, or `nil` if the text is a single command.
    package var line: Int?
    /// The column of the faulty word in characters, counted from 1.
    package var column: Int
    /// The reason, with what is expected.
    package var reason: String

    /// The place and the reason.
    public var description: String { line.map { "line \($0), column \(column): \(reason)" } ?? reason }
}

extension LocationError {
    /// Returns the error of a script or a command that a stand-in cannot perform.
    static func script(_ message: String) -> LocationError { LocationError.other(code: "script", message: message) }
}
