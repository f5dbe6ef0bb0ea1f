import LocationCore

/// The answer of a caster to the request for a mountpoint, read in pieces.
struct CasterAnswer: Sendable {
    /// The result of the bytes so far.
    enum Outcome: Equatable, Sendable {
        /// The answer is not complete.
        case incomplete
        /// The corrections begin with these bytes.
        case corrections([UInt8])
        /// The caster sends no corrections.
        case refused(CorrectionsStatus.Fault, cause: String)
    }

    private static let longest = 16_384
    private static let separator = Array("\r\n\r\n".utf8)
    private var bytes: [UInt8] = []
    /// The end of the first line of an answer in the form of HTTP, if it was read.
    private var lineEnd: Int?
    /// The place up to which the end of the line, or after it the separator, was looked for.
    private var searched = 0

    mutating func feed(_ piece: some Sequence<UInt8>) -> Outcome {
        bytes += piece
        if let lineEnd { return corrections(after: lineEnd) }
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            return bytes.count < Self.longest ? .incomplete : strange(bytes[...])
        }
        let line = String(decoding: bytes[..<end], as: UTF8.self)
        // The first version of the protocol has one line, and then the corrections.
        if line.hasPrefix("ICY 200") { return .corrections(Array(bytes[(end + 1)...])) }
        if line.hasPrefix("SOURCETABLE") { return Self.noMountpoint }
        if line.hasPrefix("ERROR"), line.containsBytes(of: "assword") { return Self.noPassword }
        guard line.hasPrefix("HTTP/1."), let code = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return strange(bytes[..<end]) }
        switch code {
        case 401, 403: return Self.noPassword
        case 404: return Self.noMountpoint
        case 200:
            lineEnd = end
            searched = end - 1
            return corrections(after: end)
        default: return strange(bytes[..<end])
        }
    }

    /// Returns the outcome of an answer in the form of HTTP, whose corrections begin after an empty line.
    private mutating func corrections(after line: Int) -> Outcome {
        while searched + Self.separator.count <= bytes.count {
            if bytes[searched...].starts(with: Self.separator) {
                let headers = String(decoding: bytes[..<searched], as: UTF8.self).lowercased()
                if headers.containsBytes(of: "sourcetable") { return Self.noMountpoint }
                if headers.containsBytes(of: "text/html") { return strange(bytes[..<line]) }
                return .corrections(Array(bytes[(searched + Self.separator.count)...]))
            }
            searched += 1
        }
        return bytes.count < Self.longest ? .incomplete : strange(bytes[..<line])
    }

    private static let noMountpoint = Outcome.refused(.mountpoint, cause: "the caster does not have this mountpoint")
    private static let noPassword = Outcome.refused(.password, cause: "the caster refuses the user or the password")

    private func strange(_ line: ArraySlice<UInt8>) -> Outcome {
        let words = String(decoding: line.prefix(60), as: UTF8.self).filter { $0 != "\r" }
        return .refused(.answer, cause: "the server does not answer as a caster does: \(VisibleText.of(words))")
    }
}

/// The table of a caster, read in pieces, as far as it concerns one mountpoint.
struct CasterTable: Sendable {
    private static let longestLine = 4096
    /// The number of bytes after which a table without the mountpoint counts as read; the largest have some hundred kilobytes.
    private static let longest = 2 << 20
    /// The field after which a 1 means that the caster computes corrections for the place of the receiver.
    private static let wantsPositionField = 11

    private let mountpoint: String
    private var line: [UInt8] = []
    private var count = 0
    /// Whether the table was read as far as needed.
    private(set) var isOver = false
    private(set) var wantsPosition = false

    init(of mountpoint: String) { self.mountpoint = mountpoint }

    mutating func feed(_ piece: some Sequence<UInt8>) {
        for byte in piece where !isOver {
            count += 1
            isOver = count >= Self.longest
            guard byte == UInt8(ascii: "\n") else {
                if line.count < Self.longestLine { line.append(byte) }
                continue
            }
            read(String(decoding: line, as: UTF8.self))
            line.removeAll(keepingCapacity: true)
        }
    }

    private mutating func read(_ line: String) {
        if line.hasPrefix("ENDSOURCETABLE") { isOver = true }
        let fields = line.split(separator: ";", omittingEmptySubsequences: false)
        guard fields.count > Self.wantsPositionField, fields[0] == "STR", fields[1] == mountpoint else { return }
        wantsPosition = fields[Self.wantsPositionField] == "1"
        isOver = true
    }
}
