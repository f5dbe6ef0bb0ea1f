import Glibc

package enum Environment {
    package static func value(of name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
