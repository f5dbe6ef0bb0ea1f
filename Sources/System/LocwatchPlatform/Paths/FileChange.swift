package import Glibc

/// The last change of a file's content.
package enum FileChange {
    /// Returns the time of the change in a text, which is another one after each change.
    ///
    /// Other modules cannot rely on the members of a `timespec`: which module of C defines them depends on the order of imports.
    package static func text(_ status: stat) -> String { "\(status.st_mtim.tv_sec)-\(status.st_mtim.tv_nsec)" }
}
