import LocationCore

/// CSV (RFC 4180): a header line, then a record a point with every field; what is unknown is empty.
///
/// Numbers always have a point for the decimals, whatever the locale. The segments of the track are numbered from 1.
struct CSVWriter: TrackWriter {
    private var segment = 1
    private var segmentHasPoints = false

    init() {}

    /// Continues a file that ends with these bytes, with a segment after its last; `nil` if no record is among them.
    ///
    /// The file can come from somebody else, or a record can be spread over lines: the last line that begins as a record counts.
    init?(after ending: [UInt8]) {
        let last = ending.split(separator: UInt8(ascii: "\n")).lazy.reversed().compactMap(Self.segment(ofRecord:)).first
        guard let last else { return nil }
        segment = last + 1
    }

    /// The number of the segment if a line begins as a record does: the number, then a time or nothing.
    private static func segment(ofRecord line: ArraySlice<UInt8>) -> Int? {
        let fields = line.split(separator: UInt8(ascii: ","), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, let segment = SegmentNumber.read(fields[0]),
            fields[1].isEmpty || Timestamp(String(decoding: fields[1], as: UTF8.self)) != nil
        else { return nil }
        return segment
    }

    mutating func header(to bytes: inout [UInt8]) {
        bytes.append("segment,time,received,device,mode,status,lat,lon")
        for field in LocationField.ordinary { name(field.name, &bytes) }
        bytes.append(",nSat,uSat")
        for field in DilutionField.all { name(field.name, &bytes) }
        for field in DetailField.all { name(field.name, &bytes) }
        bytes.append(",datum,late,revision\r\n")
    }

    mutating func gap(_ gap: TrackGap, to bytes: inout [UInt8]) {
        if segmentHasPoints || gap == .continued { segment += 1 }
        segmentHasPoints = false
    }

    func trailer(to bytes: inout [UInt8]) {}

    mutating func append(_ point: TrackPoint, to bytes: inout [UInt8]) {
        segmentHasPoints = true
        let location = point.location
        DecimalText.append(segment, to: &bytes)
        comma(&bytes)
        if let time = location.timestamp { bytes.append(time: time) }
        comma(&bytes)
        if let received = location.received { bytes.append(time: received) }
        comma(&bytes)
        if let device = location.device { bytes.append(csv: device) }
        comma(&bytes)
        DecimalText.append(location.fix.rawValue, to: &bytes)
        comma(&bytes)
        DecimalText.append(location.quality.gpsdStatus, to: &bytes)
        comma(&bytes)
        DecimalText.append(shortest: location.coordinate.latitude, to: &bytes)
        comma(&bytes)
        DecimalText.append(shortest: location.coordinate.longitude, to: &bytes)
        for field in LocationField.ordinary { number(field.value(location), &bytes) }
        number(point.seen, &bytes)
        number(point.used, &bytes)
        for field in DilutionField.all { number(field.value(point.dilution), &bytes) }
        if let details = location.details {
            for field in DetailField.all { number(field.value(details), &bytes) }
            comma(&bytes)
            if let datum = details.datum { bytes.append(csv: datum) }
        } else {
            for _ in DetailField.all { comma(&bytes) }
            comma(&bytes)
        }
        bytes.append(location.isLate ? ",1," : ",0,")
        DecimalText.append(location.revision, to: &bytes)
        bytes.append("\r\n")
    }

    private func comma(_ bytes: inout [UInt8]) { bytes.append(UInt8(ascii: ",")) }

    private func name(_ name: StaticString, _ bytes: inout [UInt8]) {
        comma(&bytes)
        bytes.append(name)
    }

    private func number(_ value: Double?, _ bytes: inout [UInt8]) {
        comma(&bytes)
        if let value { DecimalText.append(shortest: value, to: &bytes) }
    }

    private func number(_ value: Int?, _ bytes: inout [UInt8]) {
        comma(&bytes)
        if let value { DecimalText.append(value, to: &bytes) }
    }
}
