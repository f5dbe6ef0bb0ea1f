import CLocwatchPlatform

/// The memory that the program has freed and that the allocator keeps.
package enum FreedMemory {
    /// Returns the memory to the system, which takes less than a millisecond for some megabytes.
    package static func release() { locwatch_release_memory() }
}
