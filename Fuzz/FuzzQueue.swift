@testable import LocationCore
@testable import LocationPublishing
@testable import GPSDProtocol

/// Fuzzes the JSON of a record in a queue, which anybody can have changed: any text is a record or none.
func fuzzQueue(_ input: UnsafeBufferPointer<UInt8>) {
    guard let record = PublishRecord(json: UnsafeRawBufferPointer(input)) else { return }
    // Numbers that are no numbers are unequal to themselves, so the text is compared.
    let text = record.json
    check(text.withUnsafeBytes { PublishRecord(json: $0)?.json } == text, "a record is not read as it is written")
    var decoder = ReportDecoder()
    let json = RecordJSON.encode(record)
    check(isJSON(json, &decoder), "the JSON of a record is none")
    check(!hides(json), "the JSON of a record has a hidden character")
}
