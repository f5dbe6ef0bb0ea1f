import LocationCore

/// The JSON object of a record: the keys of a position in `locwatch watch --json`, and those of the record itself.
///
/// The key `event` is `location`, or `lost` after a loss, whose position is the last one.
package enum RecordJSON {
    package static func encode(_ record: PublishRecord) -> [UInt8] {
        var json = TextBuffer()
        json.object { object in
            object.member("event", record.occasion == .lost ? "lost" : "location")
            for field in PositionFields(record).fields { field.value?.append(field.name.description, to: &object) }
            for field in RecordField.ofRecord { field.value(record)?.append(field.name, to: &object) }
        }
        return json.bytes
    }
}

extension RecordValue {
    fileprivate func append(_ name: String, to object: inout TextBuffer) {
        if case .number(let number) = self, !number.isFinite { return }
        object.put(key: name)
        switch self {
        case .time(let time): object.put(jsonString: time.formatted(fractionDigits: 3))
        case .coordinate(let degrees): object.put(trimmed: degrees, decimals: 7)
        case .number(let number): object.put(shortest: number)
        case .count(let count): object.put(count)
        case .word(let word): object.put(jsonString: word)
        case .mark: object.put("true")
        }
    }
}
