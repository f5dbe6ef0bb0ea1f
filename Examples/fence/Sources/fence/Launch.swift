// The environment is a global variable in C; this program does not change it.
@preconcurrency import Glibc

/// An error of the system when a program is started.
struct LaunchError: Error, Hashable, CustomStringConvertible {
    var program: String
    var code: Int32

    var description: String { "cannot run \(program): \(String(cString: strerror(code)))" }
}

/// Starts a program, which is looked up on the `PATH`, with an argument vector; returns without waiting for its end.
func launch(_ arguments: [String]) throws(LaunchError) {
    let pointers = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, arguments[0], nil, nil, pointers, environ)
    guard code == 0 else { throw LaunchError(program: arguments[0], code: code) }
}
