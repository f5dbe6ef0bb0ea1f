@testable import LocationCore
@testable import LocationPublishing
@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchPrinting
@testable import LocwatchTerminal

/// Fuzzes the words of a command line, one on each line, as every kind of word; and all lines as a configuration.
func fuzzWords(_ input: UnsafeBufferPointer<UInt8>) {
    for line in lines(of: input).prefix(16) where line.count <= 600 {
        let word = String(decoding: line, as: UTF8.self)
        checkSource(word)
        checkTarget(word)
        checkShellWords(word)
        checkOptions(word)
    }
    checkConfiguration(String(decoding: input, as: UTF8.self))
}

private func checkMessage(_ error: UsageError, line: UInt = #line) {
    check(!hides(error.message), "the message of an error shows a hidden character", line: line)
}

private func checkSource(_ word: String) {
    let source: SourceWord
    do throws(UsageError) { source = try SourceWord(word, exists: { _ in false }) } catch { return checkMessage(error) }
    guard let again = try? SourceWord(source.description, exists: { _ in false }) else {
        return check(false, "the full form of a source is none")
    }
    check(again == source, "the full form of a source is another one")
    check(again.place == source.place, "the full form of a source has another place")
}

private func checkTarget(_ text: String) {
    let word: TargetWord
    do throws(PublishError) { word = try TargetWord(text) } catch {
        return check(!hides(error.description), "the message of an error shows a hidden character")
    }
    check(!hides(word.description), "a target shows a hidden character")
    let isName = word.fileName.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"): true
        default: false
        }
    }
    check(isName && word.fileName.utf8.count <= 60, "a target has no name for its files")
    let options = TargetOptions(hostName: "host", version: "1", started: Timestamp(secondsSince1970: 1.8e9))
    do throws(PublishError) {
        for target in try PreparedTarget.prepare([word], options) { checkEncoder(target.encoder) }
    } catch {
        check(!hides(error.description), "the message of an error shows a hidden character")
    }
}

/// Checks that what a target sends cannot end a line, or be meant for another topic or server.
private func checkEncoder(_ encoder: TargetEncoder) {
    let location = Location(coordinate: Coordinate(latitude: 45, longitude: 7), device: "a\u{1B}\r\nb")
    let records = [PublishRecord.Occasion.moved, .fence(.enter, name: "\u{202E}\n\""), .lost].map {
        PublishRecord($0, created: Timestamp(secondsSince1970: 1.8e9), location: location)
    }
    switch encoder {
    case .mqtt(_, var target):
        target.willConnect(at: Timestamp(secondsSince1970: 1.8e9))
        let messages =
            target.greeting() + records.flatMap { target.messages(for: $0, isOld: false) } + target.farewell()
        for message in messages + target.probes + [target.will].compactMap(\.self) {
            check((try? MQTTTopic(message.topic)) != nil, "a topic is not one to publish to")
        }
    case .http(let target):
        for record in records {
            guard let request = target.request(for: [record]) else { continue }
            check((try? request.validate()) != nil, "a request cannot be sent")
            check(request.url.text.utf8.allSatisfy { 0x21..<0x7F ~= $0 }, "an address ends its line")
            let origin = request.url.origin
            if request.url.text.utf8.count <= 8000 {
                check((try? HTTPURL(request.url.text))?.origin == origin, "an address has another host")
            }
        }
    case .datagrams(_, _, let target), .connection(_, _, let target, _), .listener(_, _, let target),
        .path(_, _, _, let target):
        for datagram in records.flatMap({ target.datagrams(for: $0) }) {
            check(!hides(datagram), "a datagram has a hidden character")
        }
    }
}

private func checkShellWords(_ text: String) {
    guard let words = ShellWords.split(text) else { return }
    // Bytes are compared, because a combining character would hide a quotation mark.
    let quoted = words.map { Array($0.utf8).map { $0 == UInt8(ascii: "'") ? Array("'\\''".utf8) : [$0] }.joined() }
    let line = quoted.flatMap { Array("'".utf8) + $0 + Array("' ".utf8) }
    check(ShellWords.split(String(decoding: line, as: UTF8.self)) == words, "quoted words are split")
}

private func checkOptions(_ word: String) {
    for option in OptionTable.all {
        var settings = Settings()
        do throws(UsageError) { try option.apply(word, &settings) } catch {
            checkMessage(error.named(option.long, word))
        }
        for fence in settings.fences { check(fence) }
    }
    if let duration = try? ValueSyntax<Duration>.duration().read(word) {
        check(.milliseconds(1) ... .seconds(4_000_000_000) ~= duration, "a duration is out of range")
    }
}

private func check(_ fence: Fence) {
    for place in [Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 90, longitude: -180)] {
        check(!fence.signedDistanceInside(place).isNaN, "a distance is not a number")
    }
}

private func checkConfiguration(_ text: String) {
    do throws(UsageError) {
        let file = try ConfigurationFile(text, name: "file", command: CommandName("publish"))
        check(file.lines.count <= text.utf8.count, "there are more options than bytes")
    } catch {
        checkMessage(error)
    }
}
