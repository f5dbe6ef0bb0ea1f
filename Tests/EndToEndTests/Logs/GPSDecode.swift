import Foundation
import TestSupport

/// gpsd's own decoder, as the reference.
enum GPSDecode {
    /// Returns the lines that `gpsdecode -j` prints for bytes.
    static func lines(_ bytes: [UInt8]) throws -> [String] {
        let scratch = try Scratch()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/gpsdecode")
        process.arguments = ["-j"]
        process.standardInput = try FileHandle(forReadingFrom: URL(filePath: scratch.write(bytes, to: "log")))
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
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
