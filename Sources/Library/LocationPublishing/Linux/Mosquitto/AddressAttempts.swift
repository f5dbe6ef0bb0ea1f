/// The addresses that are tried for a connection, one of each family.
struct AddressAttempts {
    /// The failure of the last address that was tried.
    ///
    /// The last address is the one of IPv4, because the failure of IPv6 says nothing on a machine without it.
    var failure: MQTTError?
    /// The time at which the current address is given up.
    private(set) var limit = Duration.zero
    private(set) var current: AddressFamily?
    private var families: [AddressFamily]

    init(_ families: [AddressFamily] = []) { self.families = families }

    mutating func next() -> AddressFamily? {
        current = families.isEmpty ? nil : families.removeFirst()
        return current
    }

    /// Begins the attempt with the current address, which gets half of the remaining time, or all of it if it is the last.
    mutating func begin(at now: Duration, until end: Duration) {
        limit = families.isEmpty ? end : now + (end - now) / 2
    }
}

/// A family of addresses; the raw value is its wildcard, and a bind to that restricts libmosquitto to the family.
enum AddressFamily: String, CaseIterable {
    case version6 = "::"
    case version4 = "0.0.0.0"
}
