/// A value for each receiver of a session, in the order in which the receivers were first reported.
///
/// The key of a receiver without a name is `nil`. A lookup takes constant time for any number of receivers.
///
/// The type is inlinable, because other modules look up a receiver for every report: unspecialized it cost a fifth of an
/// export. It is public, in a module that is not among the products, because the compiler does not inline `package`
/// declarations into another module.
public struct PerDevice<Value> {
    /// The number of entries up to which they are compared one by one, which is faster than hashing a path.
    @inlinable
    static var linearLimit: Int { 8 }

    @usableFromInline var entries: [DeviceEntry] = []
    @usableFromInline var places = PlaceTable()

    @usableFromInline
    struct DeviceEntry {
        @usableFromInline let device: String?
        @usableFromInline var value: Value

        @inlinable
        init(device: String?, value: Value) {
            self.device = device
            self.value = value
        }
    }

    /// Creates an empty collection.
    @inlinable
    public init() {}

    /// The number of receivers.
    @inlinable
    public var count: Int { entries.count }

    /// The receivers, in the order in which they were first reported.
    @inlinable
    public var devices: [String?] { entries.map(\.device) }

    /// The values, in the order in which the receivers were first reported.
    @inlinable
    public var values: some Sequence<Value> { entries.lazy.map(\.value) }

    /// Returns whether more than one receiver has a value that fulfils a condition.
    @inlinable
    public func hasSeveral(where isSo: (Value) -> Bool) -> Bool {
        guard let first = entries.firstIndex(where: { isSo($0.value) }) else { return false }
        return entries[(first + 1)...].contains { isSo($0.value) }
    }

    /// Returns the value of a receiver, or `nil` if it has none.
    @inlinable
    public subscript(device: String?) -> Value? {
        index(of: device).map { entries[$0].value }
    }

    /// Accesses the value of a receiver, which is `initial` at first.
    @inlinable
    public subscript(device: String?, default initial: @autoclosure () -> Value) -> Value {
        get { index(of: device).map { entries[$0].value } ?? initial() }
        _modify { yield &entries[place(of: device, default: initial())].value }
    }

    /// Sets the value of a receiver.
    @inlinable
    public mutating func set(_ value: Value, for device: String?) {
        if let index = index(of: device) {
            entries[index].value = value
        } else {
            _ = append(device, value)
        }
    }

    /// Accesses the value at a place from 0 up to, but not including, `count`.
    @inlinable
    public subscript(place place: Int) -> Value {
        @inline(__always) _read { yield entries[place].value }
        // An access to a large value by a call allocates the memory of the call.
        @inline(__always) _modify { yield &entries[place].value }
    }

    /// Returns the receiver at a place from 0 up to, but not including, `count`.
    @inlinable
    public func device(at place: Int) -> String? { entries[place].device }

    /// Returns the place of a receiver, adding it with the value `initial` if it is new.
    @inlinable
    public mutating func place(of device: String?, default initial: @autoclosure () -> Value) -> Int {
        index(of: device) ?? append(device, initial())
    }

    /// Returns the place of a receiver, or `nil` if it has none.
    @inlinable
    public func index(of device: String?) -> Int? {
        guard entries.count <= Self.linearLimit else {
            return places.place(of: device.hashValue) { entries[$0].device == device }
        }
        var index = 0
        while index < entries.count {
            if entries[index].device == device { return index }
            index += 1
        }
        return nil
    }

    @inlinable
    mutating func append(_ device: String?, _ value: Value) -> Int {
        entries.append(DeviceEntry(device: device, value: value))
        if entries.count > Self.linearLimit {
            while places.count < entries.count { places.append(entries[places.count].device.hashValue) }
        }
        return entries.count - 1
    }
}

extension PerDevice: Sendable where Value: Sendable {}
extension PerDevice.DeviceEntry: Sendable where Value: Sendable {}
extension PerDevice: Equatable where Value: Equatable {}
extension PerDevice.DeviceEntry: Equatable where Value: Equatable {}
extension PerDevice: Hashable where Value: Hashable {}
extension PerDevice.DeviceEntry: Hashable where Value: Hashable {}
