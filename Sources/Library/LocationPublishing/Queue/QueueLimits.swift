/// The limits of the queue of a publisher.
public struct QueueLimits: Hashable, Sendable {
    /// The size of the records in bytes.
    public var size = 64 << 20
    /// The age at which records are dropped, or `nil` to keep them.
    public var age: Duration?
    /// The free space of the disk in bytes that the queue leaves to other programs.
    package var reserve = 16 << 20

    /// Creates limits of 64 MiB on a disk with 16 MiB more, without a limit on the age.
    public init() {}
}
