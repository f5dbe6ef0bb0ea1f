@testable import GPSDSimulation
import Glibc
@testable import LocationCore
@testable import GPSDProtocol
@testable import LocwatchPlatform

/// The rounds in which nothing arrives at a client whose commands are performed.
private let patience = 6
private let path = "/tmp/locwatch-fuzz-\(getpid())"

/// Fuzzes the control socket of a stand-in: the first byte is the size of the pieces in which the other ones arrive.
func fuzzControl(_ input: UnsafeBufferPointer<UInt8>) {
    guard let first = input.first else { return }
    let bytes = Array(input.dropFirst())
    var settings = StandInGPSD.Settings()
    (settings.clock, settings.control) = (.manual, path)
    let server = standIn(.standstill, settings)
    guard let control = server.control else { fatalError("there is no control socket") }
    let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    check(UnixAddress.with(path) { connect(client, $0, $1) } == 0, "the stand-in refuses a connection")
    var received: [UInt8] = []
    for piece in pieces(bytes, Int(first)).map(Array.init) {
        guard send(client, piece, piece.count, Int32(MSG_NOSIGNAL)) == piece.count else { break }
        _ = turn(server, client, &received)
    }
    shutdown(client, Int32(SHUT_WR))
    var (isOver, idleRounds) = (false, 0)
    while !isOver, idleRounds < patience {
        let count = received.count
        isOver = turn(server, client, &received)
        idleRounds = received.count > count ? 0 : idleRounds + 1
    }
    close(client)
    checkAnswers(received, to: bytes, isOver: isOver)
    for _ in 0..<3 {
        control.receive { _ in }
        server.performCommands()
    }
    check(control.watched(accepts: true).count == 1 && server.waits.isEmpty, "a client is not forgotten")
}

/// Lets the stand-in do what is due; returns whether it has closed the connection.
private func turn(_ server: StandInServer, _ client: Int32, _ received: inout [UInt8]) -> Bool {
    server.control?.receive { _ in }
    server.performCommands()
    server.playWhatIsDue()
    server.flush()
    server.performCommands()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = recv(client, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { return count == 0 }
        received += buffer.prefix(count)
    }
}

/// Checks that each line has one answer, unless it waits.
private func checkAnswers(_ received: [UInt8], to bytes: [UInt8], isOver: Bool) {
    let end = UInt8(ascii: "\n")
    let requests = bytes.count { $0 == end } + (bytes.last.map { $0 != end } ?? false ? 1 : 0)
    let answers = received.split(separator: end)
    check(received.isEmpty || received.last == end, "an answer has no end")
    check(isOver ? answers.count == requests : answers.count <= requests, "a line has not one answer")
    var decoder = ReportDecoder()
    for answer in answers {
        check(isJSON(answer, &decoder), "an answer is not JSON")
        check(!hides(answer), "an answer shows a hidden character")
    }
}
