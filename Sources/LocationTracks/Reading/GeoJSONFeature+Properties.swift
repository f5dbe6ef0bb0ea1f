import LocationCore

extension GeoJSONFeature {
    /// Sets the value of a property with one of gpsd's names, which locwatch writes, or another common name.
    mutating func set(_ name: String, to number: Double) {
        switch name {
        case "mode": setMode(number)
        case "status":
            if 0...9 ~= number { point.location.quality = FixQuality(gpsdStatus: Int(clamping: number)) }
        case "nSat": if 0...999 ~= number { point.seen = Int(clamping: number) }
        case "addedFirst": crosses.first = number == 1
        case "addedLast": crosses.last = number == 1
        case "uSat", "sat": if 0...999 ~= number { point.used = Int(clamping: number) }
        default:
            // Some programs write a negative number for what is not known.
            if let place = LocationNumbers.places[Self.others[name] ?? name] {
                guard number >= 0 || LocationNumbers.fields[place].range.lowerBound < 0 else { return }
                point.location[number: place] = number
            } else if let place = DilutionOfPrecision.fields.firstIndex(where: { name == "\($0.gpsdName)" }) {
                if number >= 0 { point.dilution[number: place] = number }
            }
        }
    }

    private mutating func setMode(_ number: Double) {
        switch number {
        case 1: point.location.fix = .none
        case 2: point.location.fix = .twoD
        case 3: point.location.fix = .threeD
        default: return
        }
        isFixKnown = true
    }

    /// The names that other programs use.
    private static let others = [
        "altitude": "altMSL", "ele": "altMSL", "accuracy": "eph", "horizontal_accuracy": "eph",
        "vertical_accuracy": "epv",
        "heading": "course", "bearing": "course",
    ]
}
