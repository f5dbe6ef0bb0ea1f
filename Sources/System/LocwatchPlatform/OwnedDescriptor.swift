import Glibc

/// An open descriptor that is closed with its last owner.
package final class OwnedDescriptor: Sendable {
    package let number: Int32

    /// Takes over a descriptor.
    package init(_ number: Int32) { self.number = number }

    deinit { close(number) }
}
