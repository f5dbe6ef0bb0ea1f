@testable import LocationCore
@testable import LocationGPSD

/// Fuzzes what a caster sends: its answer, its table, and messages of RTCM 3.
///
/// The first byte is the size of the pieces in which the rest arrives, and must not matter.
func fuzzCorrections(_ input: UnsafeBufferPointer<UInt8>) {
    guard let first = input.first else { return }
    let bytes = Array(input.dropFirst())
    let size = Int(first)
    checkAnswer(bytes, size)
    checkTable(bytes, size)
    checkMessages(bytes, size)
    checkMessages(framed(bytes), size)
}

/// Returns the outcome of an answer, with the corrections of all pieces after it.
private func outcome(_ bytes: [UInt8], _ size: Int) -> CasterAnswer.Outcome {
    var answer = CasterAnswer()
    var rest = pieces(bytes, size)[...]
    while let piece = rest.popFirst() {
        switch answer.feed(piece) {
        case .incomplete: continue
        case .corrections(let first): return .corrections(first + rest.joined())
        case .refused(let fault, let cause):
            check(!hides(cause), "a cause shows a hidden character")
            return .refused(fault, cause: cause)
        }
    }
    return .incomplete
}

private func checkAnswer(_ bytes: [UInt8], _ size: Int) {
    check(outcome(bytes, size) == outcome(bytes, .max), "an answer in pieces is another one")
}

private func checkTable(_ bytes: [UInt8], _ size: Int) {
    var (whole, parts) = (CasterTable(of: "MOUNT"), CasterTable(of: "MOUNT"))
    whole.feed(bytes)
    for piece in pieces(bytes, size) { parts.feed(piece) }
    check(whole.isOver == parts.isOver, "a table in pieces has another end")
    check(whole.wantsPosition == parts.wantsPosition, "a table in pieces wants something else")
}

private func checkMessages(_ bytes: [UInt8], _ size: Int) {
    var whole: [[UInt8]] = []
    var reader = RTCMReader()
    reader.feed(bytes) { message in
        let length = Int(message[1]) << 8 | Int(message[2])
        check(message[0] == 0xD3 && message.count == length + 6, "a message has another length")
        check(message.count <= RTCMReader.longest, "a message is too long")
        check(RTCMReader.checksum(of: message) == 0, "a message has a wrong checksum")
        whole.append(message)
    }
    var parts: [[UInt8]] = []
    var other = RTCMReader()
    for piece in pieces(bytes, size) { other.feed(piece) { parts.append($0) } }
    check(whole == parts && reader.skipped == other.skipped, "messages in pieces are others")
}

/// Returns the parts of an input, each after a byte with its length, as messages with a valid checksum.
private func framed(_ bytes: [UInt8]) -> [UInt8] {
    var (messages, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes[...])
    while let length = rest.popFirst() {
        let message = [0xD3, 0, UInt8(min(Int(length), rest.count))] + rest.prefix(Int(length))
        rest = rest.dropFirst(Int(length))
        let sum = RTCMReader.checksum(of: message)
        messages += message + [UInt8(sum >> 16), UInt8(sum >> 8 & 0xFF), UInt8(sum & 0xFF)]
    }
    return messages
}
