import Foundation
import LocwatchPlatform
import TestSupport

@testable import LocationGPSD

/// A receiver that sends bytes slowly to a private gpsd over a line, as the reference of what a log must give.
enum LiveReceiver {
    /// The bytes of a write, between which there is a pause.
    private static let piece = 128

    /// Returns the lines that a client of the gpsd gets about the receiver, without its name.
    static func lines(_ bytes: [UInt8]) throws -> [String] {
        let terminal = try PseudoTerminal(anyone: true)
        var settings = PrivateGPSD.Settings()
        // gpsd would try other speeds first, for a second.
        settings.speed = 115_200
        let daemon = try PrivateGPSD(device: terminal.path, settings: settings)
        defer { daemon.end() }
        let session = try GPSDConnection(daemon.endpoint)
        try session.send(#"?WATCH={"enable":true,"json":true};"#)
        var text: [UInt8] = []
        while !String(decoding: text, as: UTF8.self).contains(#""class":"WATCH""#) { hear(session, 1000, &text) }
        text = []
        for part in bytes.pieces(of: piece) {
            _ = part.withUnsafeBytes { write(terminal.master, $0.baseAddress, $0.count) }
            hear(session, 3, &text)
        }
        while hear(session, 300, &text) {}
        return String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
            .filter { $0.contains(#""device":"\#(terminal.path)""#) }
            .map { $0.replacingOccurrences(of: #""device":"\#(terminal.path)","#, with: "") }
    }

    /// Reads what arrives within a time; returns whether anything has.
    @discardableResult private static func hear(
        _ session: GPSDConnection, _ milliseconds: Int32, _ text: inout [UInt8]
    ) -> Bool {
        var watched = pollfd(fd: session.descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, milliseconds) > 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(session.descriptor, &buffer, buffer.count, 0)
        if count > 0 { text += buffer[..<count] }
        return count > 0
    }

    /// A position of a report, with numbers as the report has them.
    struct Position: Hashable {
        var latitude: Double
        var longitude: Double
        var mode: Int
    }

    /// Returns the positions in lines, without one that repeats the one before.
    static func positions(_ lines: [String]) throws -> [Position] {
        var positions: [Position] = []
        for line in lines {
            let report = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            guard report["class"] as? String == "TPV", let mode = report["mode"] as? Int, mode > 1,
                let latitude = report["lat"] as? Double, let longitude = report["lon"] as? Double
            else { continue }
            let position = Position(latitude: latitude, longitude: longitude, mode: mode)
            if positions.last != position { positions.append(position) }
        }
        return positions
    }
}
