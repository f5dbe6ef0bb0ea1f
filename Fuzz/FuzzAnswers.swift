@testable import LocationCore
@testable import LocationPublishing

/// The encoders for HTTP servers.
private let targets: [HTTPTarget] = {
    let words = [
        "owntracks+http://example.org/pub?u=anna&d=boat", "traccar://example.org?id=7", "overland+http://example.org/x",
        "http://example.org/?lat=%{lat}",
    ]
    let options = TargetOptions(hostName: "host", version: "1", started: Timestamp(secondsSince1970: 1.8e9))
    return words.compactMap { word in
        guard let target = try? PreparedTarget.prepare([TargetWord(word)], options).first,
            case .http(let encoder) = target.encoder
        else { fatalError("\(word) is not a target") }
        return encoder
    }
}()

/// Fuzzes the answers of HTTP servers: the lines of the headers up to an empty one, and the body.
func fuzzAnswers(_ input: UnsafeBufferPointer<UInt8>) {
    let received = ReceivedResponse(sizeLimit: 1000)
    var rest = input[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: rest[...end]))
        rest = rest[(end + 1)...]
        guard received.appendHeader(line) else { return check(received.excess != nil, "a limit is not named") }
        if line.count <= 2, line.allSatisfy({ $0 == 0x0A || $0 == 0x0D }) { break }
    }
    let isWhole = received.appendBody(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: rest)))
    check(isWhole == (rest.count <= 1000), "the size of the body is not limited")
    let response = received.response
    check(!hides(response.debugDescription), "a description shows a hidden character")
    for target in targets {
        switch target.verdict(on: response) {
        case .taken: check(response.isSuccess, "a failure is taken for a success")
        case .omitted: check(false, "a record that was sent counts as one that needs no message")
        case .tryAgain(let cause, let after):
            check(!hides(cause), "a cause shows a hidden character")
            check(after.map { .zero ... .seconds(UInt32.max) ~= $0 } ?? true, "a pause is out of range")
        case .refused(let cause), .rejected(let cause): check(!hides(cause), "a cause shows a hidden character")
        }
    }
    checkRedirect(response)
}

/// Checks that a redirect is an error without hidden characters, and without the query of the new address.
private func checkRedirect(_ response: HTTPResponse) {
    do throws(HTTPError) { _ = try response.checked(by: HTTPLimits()) } catch {
        check(!hides("\(error)"), "an error shows a hidden character")
        if case .redirected(_, let address) = error { check(!address.contains("?"), "an error shows a query") }
    }
}
