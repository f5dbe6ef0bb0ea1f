import Foundation

/// A recording whose positions are numbered by their latitude, one per second.
enum NumberedDrive {
    /// The number of positions for each degree of latitude.
    private static let scale = 100_000.0

    /// The lines before the first position.
    static let opening =
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\n"
        + #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox","#
        + #""activated":"2026-11-20T12:00:00.000Z","cycle":1.00}]}"# + "\n"

    /// Returns the lines of positions.
    static func lines(_ numbers: ClosedRange<Int>) -> String {
        numbers.map { number in
            let time = String(
                format: "2026-11-20T%02d:%02d:%02d.000Z", 12 + number / 3600, number / 60 % 60, number % 60)
            let latitude = String(format: "%.7f", Double(number) / scale)
            return #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"\#(time)","lat":\#(latitude),"lon":7.0,"#
                + #""altMSL":100.0,"eph":3.0,"speed":1.0,"track":0.0}"# + "\n"
        }.joined()
    }

    /// Returns a whole recording.
    static func text(_ numbers: ClosedRange<Int>) -> String { opening + lines(numbers) }

    /// Returns the number of the position in an object with a latitude, if it has one.
    static func number(in object: some StringProtocol) -> Int? {
        let members = try? JSONSerialization.jsonObject(with: Data(object.utf8)) as? [String: Any]
        return (members?["lat"] as? Double).map { number(at: $0) }
    }

    static func number(at latitude: Double) -> Int { Int((latitude * scale).rounded()) }
}
