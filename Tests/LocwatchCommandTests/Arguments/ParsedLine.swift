import Glibc
import LocwatchPlatform
import LocwatchTerminal
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession

extension Invocation {
    /// Parses words that are separated by spaces, where no file exists but the given configuration.
    static func of(
        _ line: String, _ environment: [String: String] = [:], configuration: (path: String, text: String)? = nil
    ) throws(UsageError) -> Invocation {
        try parse(
            line.split(separator: " ").map(String.init), environment: environment, exists: { _ in false },
            read: { (path) throws(SystemFailure) in
                guard let configuration, configuration.path == path else {
                    throw SystemFailure("read", code: ENOENT)
                }
                return ConfigurationText(configuration.text)
            })
    }
}

extension UsageError {
    /// Returns the message about a line, or `nil` if it is valid, and expects that it ends the program as a mistake of usage, or with
    /// another code.
    static func message(
        _ line: String, _ environment: [String: String] = [:], configuration: (path: String, text: String)? = nil,
        code: ExitCode = .usage
    ) -> String? {
        do throws(UsageError) {
            _ = try Invocation.of(line, environment, configuration: configuration)
            return nil
        } catch {
            #expect(error.code == code, "\(line): \(error.message)")
            return error.message
        }
    }
}
