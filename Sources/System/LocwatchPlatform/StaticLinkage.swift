import CLocwatchPlatform

package enum StaticLinkage {
    /// Returns whether an address belongs to the program itself rather than to a loaded library.
    package static func contains(_ address: UnsafeRawPointer) -> Bool { locwatch_is_in_program(address) == 1 }
}
