/// The members of a view of the satellites that gpsd's JSON, the queue of `publish` and `--json` have in common.
extension TextBuffer {
    package mutating func members(of dilution: DilutionOfPrecision) {
        for field in DilutionOfPrecision.Field.allCases {
            member(DilutionOfPrecision.Field.rows[field.place].name, dilution[field])
        }
    }

    package mutating func commonMembers(of satellite: Satellite) {
        member("svid", satellite.number)
        member("sigid", satellite.signalBand)
        member("freqid", satellite.frequencySlot)
        member("el", satellite.elevation)
        member("az", satellite.azimuth)
        member("ss", satellite.signal)
        member("prRes", satellite.residual)
    }
}
