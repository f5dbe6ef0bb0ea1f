import CLocwatchPlatform

extension UnsafeRawBufferPointer {
    /// Returns the place of the first occurrence of a text.
    package func range(of text: StaticString) -> Range<Int>? {
        guard let found = locwatch_find(baseAddress, count, text.utf8Start, text.utf8CodeUnitCount), let baseAddress
        else { return nil }
        let place = found - baseAddress
        return place..<place + text.utf8CodeUnitCount
    }
}
