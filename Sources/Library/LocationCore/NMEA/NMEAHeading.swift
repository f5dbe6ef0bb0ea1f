extension NMEASentence {
    /// Returns an HDT sentence: the heading from true north.
    package static func hdt(_ position: NMEAPosition, from talker: NMEATalker = .gyrocompass) -> NMEASentence {
        NMEASentence(talker, "HDT") { $0.append(position.heading, decimals: 2, unit: "T") }
    }

    /// Returns an HDM sentence: the heading from magnetic north.
    package static func hdm(_ position: NMEAPosition, from talker: NMEATalker = .magneticCompass) -> NMEASentence {
        NMEASentence(talker, "HDM") { $0.append(position.headingMagnetic, decimals: 2, unit: "M") }
    }

    /// Returns an HDG sentence: the heading from magnetic north, without a deviation of the compass, and the magnetic variation.
    package static func hdg(_ position: NMEAPosition, from talker: NMEATalker = .magneticCompass) -> NMEASentence {
        NMEASentence(talker, "HDG") { fields in
            fields.append(position.headingMagnetic, decimals: 2)
            fields.append()
            fields.append()
            fields.append(position.magneticVariation.map(abs), decimals: 1)
            fields.append(position.magneticVariation.map { $0 < 0 ? "W" : "E" } ?? "")
        }
    }

    /// Returns a ROT sentence: the rate of turn, in degrees a minute to the right.
    package static func rot(_ position: NMEAPosition, from talker: NMEATalker = .turnIndicator) -> NMEASentence {
        NMEASentence(talker, "ROT") { fields in
            fields.append(position.rateOfTurn, decimals: 1)
            fields.append("A")
        }
    }
}
