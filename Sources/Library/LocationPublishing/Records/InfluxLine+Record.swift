import LocationCore

extension InfluxLine {
    /// Creates the line of a record with a position; `nil` for a loss, which a database shows by the end of the points.
    ///
    /// One that is repeated is the same line, because a point with the same tags and the same time takes the place of the first one.
    ///
    /// - Parameter host: The name of the machine, which is a tag.
    init?(_ record: PublishRecord, host: String) {
        guard record.occasion != .lost, let location = record.location else { return nil }
        self.init(decimals: 7)
        tag("host", host)
        record.visitReported(location, &self)
        word("occasion", record.occasion.code)
        if case .fence(let kind, let name) = record.occasion {
            word("fence", name)
            word("change", kind.rawValue)
        }
    }
}

extension PublishRecord {
    /// Visits the fields of a position of the record, and the judgement of its receiver.
    func visitReported(_ location: Location, _ visitor: inout some LocationFieldVisitor) {
        location.visitFields(&visitor) {
            $0.count("used", satellitesUsed)
            $0.count("seen", sky?.seen)
        }
        visitor.mark("stationary", isStationary)
        visitor.word("integrity", verdict == .nominal ? nil : verdict.rawValue)
        visitor.number("distance", distance, .length)
    }
}
