import LocationCore

extension SkyView {
    /// What a report tells of the sky.
    init(_ report: SKYReport) {
        var dilution = DilutionOfPrecision()
        dilution.longitude = report.xdop
        dilution.latitude = report.ydop
        dilution.horizontal = report.hdop
        dilution.vertical = report.vdop
        dilution.position = report.pdop
        dilution.time = report.tdop
        dilution.geometric = report.gdop
        self.init(
            satellites: report.satellites.map { $0.map(LocationCore.Satellite.init) }, seen: report.nSat?.ifCount,
            used: report.uSat?.ifCount, dilution: dilution, timestamp: report.time, device: report.device)
    }
}

extension LocationCore.Satellite {
    @inline(__always)
    fileprivate init(_ report: SKYReport.Satellite) {
        self.init(
            constellation: report.gnssid.flatMap(Constellation.init), number: report.svid, prn: report.PRN,
            elevation: report.el, azimuth: report.az,
            // gpsd writes 0 for a satellite that is known to be there and not heard.
            signal: report.ss == 0 ? nil : report.ss, isUsed: report.used)
        signalBand = report.sigid
        frequencySlot = report.freqid
        residual = report.prRes
        health = report.health.flatMap(Health.init)
        quality = report.qual
    }
}

extension Int {
    /// The number, where it can be one of satellites.
    fileprivate var ifCount: Int? { self >= 0 ? self : nil }
}
