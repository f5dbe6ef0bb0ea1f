@testable import LocationCore
@testable import GPSDProtocol
@testable import LocationTracks

/// Ends the program unless a condition holds.
func check(_ holds: Bool, _ flaw: StaticString, file: StaticString = #fileID, line: UInt = #line) {
    guard holds else { fatalError("\(flaw)", file: file, line: line) }
}

/// Returns whether a text contains a character that must be escaped in output, other than a line end.
func hides(_ bytes: some Collection<UInt8>) -> Bool {
    String(decoding: bytes, as: UTF8.self).unicodeScalars.contains {
        VisibleText.isHidden($0) && $0 != "\n" && $0 != "\r"
    }
}

/// Returns whether a message for people contains a hidden character, line ends included.
func hides(_ message: String) -> Bool { message.unicodeScalars.contains(where: VisibleText.isHidden) }

/// Returns whether a line is a JSON object: the decoder reports at most a missing class.
func isJSON(_ line: some Collection<UInt8>, _ decoder: inout ReportDecoder) -> Bool {
    do throws(ReportError) {
        _ = try decoder.decode(Array(line))
        return true
    } catch {
        return error.kind == .noClass
    }
}

/// Checks that a location has a place on the earth and finite numbers.
func checkNumbers(_ location: Location) {
    let place = location.coordinate
    check(Coordinate(checking: place.latitude, place.longitude) != nil, "a coordinate is out of range")
    location.numbers.forEach { _, number in check(number.isFinite, "a number of a location is not finite") }
}

/// Returns the lines of an input, without their ends.
func lines(of input: UnsafeBufferPointer<UInt8>) -> [[UInt8]] {
    input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
}

/// Returns bytes in the pieces of one size, in which they arrive; a size of 0 counts as 1.
func pieces(_ bytes: [UInt8], _ size: Int) -> [ArraySlice<UInt8>] {
    let size = max(1, size)
    return stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min(bytes.count, $0 + size)] }
}
