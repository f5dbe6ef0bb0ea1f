import CLocwatchPlatform

package enum ProgramArguments {
    /// The arguments as `main` gets them, beginning with the name of the program.
    ///
    /// `CommandLine` searches for them from `environ`, which a library can have moved that was loaded before.
    package static var all: UnsafeBufferPointer<UnsafeMutablePointer<CChar>?> {
        var count: Int32 = 0
        let words = locwatch_arguments(&count)
        return UnsafeBufferPointer(start: words, count: Int(count))
    }

    /// Closes the descriptors that the parent has left open beside 0, 1 and 2, such as the lock of a script, except those that an
    /// argument names, as `<(command)` of a shell does, and pairs of sockets; call it before any descriptor is opened.
    package static func closeOtherDescriptors() { locwatch_close_inherited() }
}
