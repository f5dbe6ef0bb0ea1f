import Glibc

/// The attributes of an element, as the parser provides them.
struct XMLAttributes {
    private let list: UnsafeMutablePointer<UnsafePointer<CChar>?>?

    init(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) { self.list = list }

    /// Returns whether the attribute with a name has a value.
    func have(_ name: StaticString, _ value: StaticString) -> Bool {
        let value = UnsafeBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount)
        return self.value(name)?.elementsEqual(value) ?? false
    }

    /// Returns the value of the attribute with a name, or `nil` if there is none.
    func value(_ name: StaticString) -> UnsafeBufferPointer<UInt8>? {
        guard var place = list else { return nil }
        while let other = place[0], let value = place[1] {
            if XMLName(other) == name {
                return UnsafeRawBufferPointer(start: value, count: strlen(value)).assumingMemoryBound(to: UInt8.self)
            }
            place += 2
        }
        return nil
    }
}
