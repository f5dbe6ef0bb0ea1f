import LocationCore

/// The JSON object of a record: the keys of a position in `locwatch watch --json`, and those of the record itself.
///
/// The key `event` is `location`, or `lost` after a loss, whose position is the last one.
public enum RecordJSON {
    /// Returns the object of a record.
    public static func encode(_ record: PublishRecord) -> [UInt8] {
        var object = JSONObject()
        object.member("event", record.occasion == .lost ? "lost" : "location")
        for field in PositionFields(record).fields { field.value?.append(field.name.description, to: &object) }
        for field in RecordField.ofRecord { field.value(record)?.append(field.name, to: &object) }
        return object.bytes
    }
}

extension RecordValue {
    fileprivate func append(_ name: String, to object: inout JSONObject) {
        switch self {
        case .time(let time): object.member(name, time: time)
        case .coordinate(let degrees): object.member(name, number: degrees, decimals: 7)
        case .number(let number): object.member(name, number: number)
        case .count(let count): object.member(name, integer: count)
        case .word(let word): object.member(name, word)
        case .mark: object.member(name, flag: true)
        }
    }
}
