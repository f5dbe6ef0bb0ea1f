import CLocwatchPlatform

extension UnsafeRawBufferPointer {
    /// Returns the place of the first occurrence of a text.
    package func range(of text: StaticString) -> Range<Int>? {
        range(of: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Returns the place of the first occurrence of some bytes.
    package func range(of bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        guard let found = locwatch_find(baseAddress, count, bytes.baseAddress, bytes.count), let baseAddress
        else { return nil }
        let place = found - baseAddress
        return place..<place + bytes.count
    }
}
