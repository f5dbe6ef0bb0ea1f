import LocationCore

/// A reader of the flight recorders' format of the FAI: its B records, each a fix.
///
/// The date is that of the record HFDTE, and the next day follows when the time of day goes back by more than half a day.
final class IGCReader: TrackFormatReader {
    private static let halfDay = 43_200

    private let collector: PointCollector
    private var lines = TextLines()
    /// The start of the day of the next fix, or `nil` until the date is known.
    private var day: Timestamp?
    /// The time of day of the last fix, in seconds.
    private var lastSecond: Int?
    private var isFirst = true

    init(_ collector: PointCollector) { self.collector = collector }

    /// Returns whether a text begins like a flight record: with the record of the recorder, and a header after it.
    static func recognizes(_ beginning: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard beginning.first == UInt8(ascii: "A"),
            beginning.dropFirst().prefix(3).allSatisfy({ 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 })
        else { return false }
        return beginning.split(separator: UInt8(ascii: "\n"), maxSplits: 16).contains { $0.starts(with: "HFDTE".utf8) }
    }

    /// Reads the next bytes; a record that is torn is not valid, or whole.
    func read(_ piece: UnsafeRawBufferPointer) -> Bool {
        lines.read(piece) { line, number, _ in
            guard let line else { return }
            if line.first == UInt8(ascii: "B") { read(fix: line, number) }
            if line.starts(with: "HFDTE".utf8) { read(date: line) }
        }
        return false
    }

    /// Reads `HFDTE150326` or `HFDTEDATE:150326,01`.
    private func read(date line: [UInt8]) {
        let digits = line.dropFirst(5).drop { !(0x30...0x39 ~= $0) }.prefix(6)
        guard digits.count == 6, let number = DigitNumber.read(digits) else { return }
        let year = number % 100
        day = Timestamp(
            year: year < 80 ? 2000 + year : 1900 + year, month: number / 100 % 100, day: number / 10_000)
        lastSecond = nil
    }

    /// Reads `B`, the time, the latitude, the longitude, the validity, and the altitudes of the pressure and above the
    /// ellipsoid.
    private func read(fix line: [UInt8], _ number: Int) {
        guard line.count >= 25, let clock = DigitNumber.read(line[1..<7]),
            let latitude = Self.angle(line[7..<15], "N", "S"), let longitude = Self.angle(line[15..<24], "E", "W"),
            let place = Coordinate(checking: latitude, longitude), clock / 10_000 < 24, clock / 100 % 100 < 60,
            clock % 100 <= 60
        else {
            return collector.skip("line \(number): a B record without a time and a position")
        }
        let second = clock / 10_000 * 3600 + clock / 100 % 100 * 60 + clock % 100
        if let lastSecond, second + Self.halfDay < lastSecond { day = day?.advanced(by: .seconds(86_400)) }
        lastSecond = second
        let is3D = line[24] == UInt8(ascii: "A")
        var point = TrackPoint(Location(coordinate: place, fix: is3D ? .threeD : .twoD))
        point.location.timestamp = day?.advanced(by: .seconds(second))
        if is3D, line.count >= 35 { point.location.altitudeHAE = Self.signed(line[30..<35]).map(Double.init) }
        collector.add(point, .track, startsSegment: isFirst)
        isFirst = false
    }

    /// Returns an angle of degrees and thousandths of minutes, such as `4812345N` or `01622345E`.
    private static func angle(_ text: ArraySlice<UInt8>, _ positive: Unicode.Scalar, _ negative: Unicode.Scalar)
        -> Double?
    {
        guard let number = DigitNumber.read(text.dropLast()), let sign = text.last,
            sign == UInt8(ascii: positive) || sign == UInt8(ascii: negative)
        else { return nil }
        let minutes = Double(number % 100_000) / 1000
        guard minutes < 60 else { return nil }
        let degrees = Double(number / 100_000) + minutes / 60
        return sign == UInt8(ascii: negative) ? -degrees : degrees
    }

    private static func signed(_ text: ArraySlice<UInt8>) -> Int? {
        text.first == UInt8(ascii: "-") ? DigitNumber.read(text.dropFirst()).map { -$0 } : DigitNumber.read(text)
    }
}
