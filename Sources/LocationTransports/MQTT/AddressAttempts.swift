import LocationPublishing

/// The addresses that are tried for a connection, one of each family.
struct AddressAttempts {
    /// The failure of the last address that was tried; where IPv6 is not set up, its own failure says nothing.
    var failure: MQTTError?
    /// The time at which the current address is given up.
    private(set) var limit = Duration.zero
    private var families: [AddressFamily] = []
    private var end = Duration.zero

    /// Creates attempts without an address.
    init() {}

    init(_ families: [AddressFamily], until end: Duration) {
        self.families = families
        self.end = end
    }

    /// Returns the family of the next address, if any.
    mutating func next() -> AddressFamily? { families.isEmpty ? nil : families.removeFirst() }

    /// Begins to connect to the address: it has half of the time that is left, and the last one has all of it.
    mutating func begin(at now: Duration) { limit = families.isEmpty ? end : now + (end - now) / 2 }
}

/// A family of internet addresses.
enum AddressFamily: CaseIterable {
    case version6
    case version4

    /// The address that stands for any of the family; bound to it, libmosquitto takes no address of another family.
    var anyAddress: String {
        switch self {
        case .version6: "::"
        case .version4: "0.0.0.0"
        }
    }
}
