import CPlatform

/// The program as it lies in memory.
package enum ProgramImage {
    /// Whether something lies in the program itself, and not in a library that it loaded.
    package static func holds(_ address: UnsafeRawPointer) -> Bool { locwatch_is_in_program(address) == 1 }
}
