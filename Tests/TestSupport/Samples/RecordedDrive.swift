import LocationCore

/// A generated recording of any length whose positions do not repeat.
package enum RecordedDrive {
    package static func text(points: Int, from second: Int = 0) -> String {
        var text = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\n"
        for index in second..<second + points {
            let time = Timestamp(secondsSince1970: Double(1_794_268_800 + index)).formatted(fractionDigits: 3)
            text += #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"\#(time)","lat":45.\#(100_000 + index),"#
            text += #""lon":7.5,"altMSL":240.5,"speed":11.1,"eph":5.1}"# + "\n"
        }
        return text
    }
}

extension RecordedDrive {
    /// Returns a recording with a position a second of a receiver that drives to the north in parts, each of some seconds at a speed in
    /// metres per second; at rest its position drifts by less than a metre.
    package static func text(_ parts: [(seconds: Int, speed: Double)]) -> String {
        var text = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\n"
        var draw = SplitMix64(seed: 4)
        var place = Coordinate(latitude: 45, longitude: 7.5)
        var second = 0
        for (seconds, speed) in parts {
            for _ in 0..<seconds {
                place = place.destination(distance: speed, bearing: 0)
                let shown = place.destination(distance: speed > 0 ? 0 : draw.uniform(0...0.9), bearing: 90)
                let time = Timestamp(secondsSince1970: Double(1_794_268_800 + second)).formatted(fractionDigits: 3)
                text += #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"\#(time)","lat":\#(shown.latitude),"#
                text += #""lon":\#(shown.longitude),"altMSL":240.5,"speed":\#(speed),"eph":5.1}"# + "\n"
                second += 1
            }
        }
        return text
    }
}
