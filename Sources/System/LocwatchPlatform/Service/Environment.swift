import Glibc

/// The variables of the program's environment.
package enum Environment {
    /// Returns the value of a variable, or `nil` if it is not set.
    package static func value(of name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
