/// The last events of a session as text of Server-Sent Events, from which every reader is served at its own pace.
///
/// All readers share the events; a reader is only a number. So a thousand slow readers take no more memory than one, and
/// none of them delays another.
struct EventBacklog: Sendable {
    /// The limit of all events together in bytes: some minutes of a receiver with satellites once a second.
    static let byteLimit = 512 * 1024
    /// The size that the bookkeeping of an event adds to its bytes.
    private static let overhead = 48

    /// The identity of this session in the names of events, because a number of another session means nothing.
    private let session: String
    private var events: [[UInt8]] = []
    /// The place of the oldest event in `events`.
    private var head = 0
    private var size = 0
    /// The number of the oldest event.
    private(set) var first: UInt64 = 1

    /// Creates an empty backlog.
    ///
    /// - Parameter session: A name of this session, made of letters and digits.
    init(session: String) { self.session = session }

    /// The number of the newest event, or 0 if there was none.
    var newest: UInt64 { first + UInt64(events.count - head) - 1 }

    /// Appends an event and drops the oldest ones beyond the limit.
    ///
    /// - Parameter line: The JSON of the event, without a line break.
    mutating func append(_ line: some Collection<UInt8>) {
        let text = text(line, number: newest + 1)
        size += text.count + Self.overhead
        events.append(text)
        while size > Self.byteLimit, head < events.count - 1 {
            size -= events[head].count + Self.overhead
            events[head] = []
            head += 1
            first += 1
        }
        guard head > events.count / 2, head > 64 else { return }
        events.removeFirst(head)
        head = 0
    }

    /// Returns the text of an event, with its number if a reader can continue after it.
    func text(_ line: some Collection<UInt8>, number: UInt64?) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(line.count + 40)
        if let number { text += Array("id: \(session)-\(number)\n".utf8) }
        text += Array("data: ".utf8)
        text += line
        text += [UInt8(ascii: "\n"), UInt8(ascii: "\n")]
        return text
    }

    /// Returns the text of an event, or `nil` if it was dropped or has not happened.
    subscript(number: UInt64) -> [UInt8]? {
        guard number >= first, number <= newest else { return nil }
        return events[head + Int(number - first)]
    }

    /// Returns the number in the name of an event, or `nil` if the reader cannot continue after it.
    func number(of name: String) -> UInt64? {
        guard name.hasPrefix(session + "-"), let number = UInt64(name.dropFirst(session.count + 1)) else { return nil }
        return number <= newest && number + 1 >= first ? number : nil
    }
}
