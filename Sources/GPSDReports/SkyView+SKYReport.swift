package import LocationCore

extension SkyView {
    /// What a report tells of the sky.
    ///
    /// - Parameter listsSatellites: whether they are wanted one by one; their numbers always are.
    package init(_ report: borrowing SKYReport, listsSatellites: Bool) {
        var dilution = DilutionOfPrecision()
        dilution.longitude = report.xdop
        dilution.latitude = report.ydop
        dilution.horizontal = report.hdop
        dilution.vertical = report.vdop
        dilution.position = report.pdop
        dilution.time = report.tdop
        dilution.geometric = report.gdop
        self.init(
            satellites: listsSatellites ? report.satellites.map { $0.map(LocationCore.Satellite.init) } : nil,
            seen: report.nSat?.ifCount ?? report.satellites?.count,
            used: report.uSat?.ifCount ?? report.satellites?.count { $0.used },
            dilution: dilution, timestamp: report.time, device: report.device)
    }
}

extension SKYReport {
    /// The strongest signal in dB-Hz, or `nil` where no satellite is heard.
    var bestSignal: Double? { satellites?.lazy.compactMap { $0.heardSignal }.max() }
}

extension SKYReport.Satellite {
    /// gpsd writes 0 for a satellite that is known to be there and not heard.
    fileprivate var heardSignal: Double? { ss == 0 ? nil : ss }
}

extension LocationCore.Satellite {
    @inline(__always)
    fileprivate init(_ report: SKYReport.Satellite) {
        self.init(
            constellation: report.gnssid.flatMap(Constellation.init), number: report.svid, prn: report.PRN,
            elevation: report.el, azimuth: report.az, signal: report.heardSignal, isUsed: report.used)
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
