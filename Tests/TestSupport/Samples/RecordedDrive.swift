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
