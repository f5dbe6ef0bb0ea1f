import CLocwatchPlatform

/// New files.
package enum CreatedFile {
    /// Creates a file with a mode that the umask does not restrict, and returns its descriptor, which is negative if that fails, with
    /// errno.
    ///
    /// The umask of the process is never another one meanwhile. A confined process cannot change the mode afterwards.
    ///
    /// - Parameter flags: Those of `open(2)` beside `O_CREAT`.
    package static func create(_ path: String, _ flags: Int32, mode: UInt32) -> Int32 {
        locwatch_create_with_mode(path, flags, mode)
    }
}
