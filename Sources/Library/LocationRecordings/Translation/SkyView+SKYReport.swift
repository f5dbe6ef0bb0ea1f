package import LocationCore

extension SkyView {
    /// Creates a sky view from a report, without implausible values.
    package init(_ report: borrowing SKYReport, listsSatellites: Bool) {
        var faults: ImplausibleFields = []
        self.init(report, listsSatellites: listsSatellites, &faults)
    }

    /// Creates a sky view from a report, without implausible values, whose fields are inserted into `faults`.
    ///
    /// - Parameter listsSatellites: Whether the satellites are listed individually; they are counted in any case.
    init(_ report: borrowing SKYReport, listsSatellites: Bool, _ faults: inout ImplausibleFields) {
        var dilution = report.dilution
        for place in DilutionOfPrecision.fields.indices {
            guard let number = dilution[number: place] else { continue }
            if faults.checkedDilution(number, place) == nil { dilution[number: place] = nil }
        }
        dilution.removeZeros()
        self.init(
            satellites: listsSatellites
                ? report.satellites.map { $0.map { Satellite($0, &faults) } } : nil,
            seen: faults.checked(report.nSat, .nSat) ?? report.satellites?.count,
            used: faults.checked(report.uSat, .uSat) ?? report.satellites?.count { $0.used },
            dilution: dilution, timestamp: report.time, device: report.receiver)
        if !listsSatellites { summary = report.satellites.map(SkySummary.init) }
    }
}

extension SkySummary {
    /// Creates the summary of gpsd's list of satellites.
    fileprivate init(_ satellites: [SKYReport.Signal]) {
        self.init()
        for satellite in satellites {
            add(
                signal: satellite.ss, isUsed: satellite.used, constellation: satellite.gnssid,
                number: satellite.svid ?? satellite.PRN)
        }
    }
}

extension SKYReport {
    /// The receiver's name, or `nil` if gpsd left it empty.
    var receiver: String? { device.flatMap { $0.isEmpty ? nil : $0 } }

    /// The strongest plausible signal in dB-Hz, or `nil` if no satellite is heard.
    var bestSignal: Double? {
        satellites?.lazy.compactMap { $0.heardSignal }.filter { PhysicalField.ss.range ~= $0 }.max()
    }
}

extension SKYReport.Signal {
    /// The signal, if any; gpsd writes 0 for a satellite that is known to be there but not heard.
    fileprivate var heardSignal: Double? { ss == 0 ? nil : ss }
}

extension Satellite {
    @inline(__always)
    fileprivate init(_ report: SKYReport.Signal, _ faults: inout ImplausibleFields) {
        self.init(
            constellation: faults.checked(report.gnssid, .gnssid).flatMap(Constellation.init),
            number: faults.checked(report.svid, .svid), prn: faults.checked(report.PRN, .PRN),
            elevation: faults.checked(report.el, .el), azimuth: faults.checked(report.az, .az),
            signal: faults.checked(report.heardSignal, .ss), isUsed: report.used)
        signalBand = faults.checked(report.sigid, .sigid)
        frequencySlot = faults.checked(report.freqid, .freqid)
        residual = faults.checked(report.prRes, .prRes)
        health = faults.checked(report.health, .health).flatMap(Health.init)
        quality = faults.checked(report.qual, .qual)
    }
}
