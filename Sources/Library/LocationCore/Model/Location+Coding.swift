/// The form in which programs store a location: a key for each known value, with the name of its property.
extension Location: Codable {
    /// The key of a number is the name of its case, and that of any other value is its own.
    private struct Key: CodingKey {
        static let coordinate = Key("coordinate")
        static let fix = Key("fix")
        static let quality = Key("quality")
        static let timestamp = Key("timestamp")
        static let received = Key("received")
        static let device = Key("device")
        static let isLate = Key("isLate")
        static let isSimulated = Key("simulation")
        static let datum = Key("datum")
        /// The values that only some receivers report were apart before release 0.6.
        static let details = Key("details")

        let stringValue: String
        var intValue: Int? { nil }

        init(_ field: Field) { stringValue = "\(field)" }
        private init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    /// Decodes a location; a missing value or null is unknown, and one of another type is an error.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        var draft = LocationDraft(
            at: try values.decode(Coordinate.self, forKey: .coordinate),
            fix: try values.decode(FixKind.self, forKey: .fix))
        draft.facts.quality = try values.decode(FixQuality.self, forKey: .quality)
        draft.facts.timestamp = try values.decodeIfPresent(Timestamp.self, forKey: .timestamp)
        draft.facts.received = try values.decodeIfPresent(Timestamp.self, forKey: .received)
        draft.facts.device = try values.decodeIfPresent(String.self, forKey: .device)
        draft.facts.isLate = try values.decode(Bool.self, forKey: .isLate)
        draft.facts.isSimulated = try values.decodeIfPresent(Bool.self, forKey: .isSimulated) ?? false
        draft.facts.datum = try values.decodeIfPresent(String.self, forKey: .datum)
        try draft.decodeNumbers(values)
        if values.contains(.details) {
            let details = try values.nestedContainer(keyedBy: Key.self, forKey: .details)
            draft.facts.datum = try details.decodeIfPresent(String.self, forKey: .datum)
            try draft.decodeNumbers(details)
        }
        self.init(draft)
    }

    /// Encodes the known values.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(coordinate, forKey: .coordinate)
        try values.encode(fix, forKey: .fix)
        try values.encode(quality, forKey: .quality)
        try values.encodeIfPresent(timestamp, forKey: .timestamp)
        try values.encodeIfPresent(received, forKey: .received)
        try values.encodeIfPresent(device, forKey: .device)
        try values.encode(isLate, forKey: .isLate)
        if isSimulated { try values.encode(true, forKey: .isSimulated) }
        try values.encodeIfPresent(datum, forKey: .datum)
        for field in Field.allCases { try values.encodeIfPresent(self[field], forKey: Key(field)) }
    }
}

extension LocationDraft {
    /// Decodes the numbers that a container has.
    fileprivate mutating func decodeNumbers<Key: CodingKey>(_ values: KeyedDecodingContainer<Key>) throws {
        for field in Location.Field.allCases {
            guard let key = Key(stringValue: "\(field)"),
                let number = try values.decodeIfPresent(Double.self, forKey: key)
            else { continue }
            self[field] = number
        }
    }
}
