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
        for field in DilutionOfPrecision.Field.allCases {
            guard let number = dilution[field] else { continue }
            if faults.checked(number, field) == nil { dilution[field] = nil }
        }
        dilution.removeZeros()
        var facts = SkyFacts()
        facts.satellites = listsSatellites ? report.satellites.map { $0.map { Satellite($0, &faults) } } : nil
        facts.figures = listsSatellites ? nil : report.satellites.map { $0.map { SignalFigures($0) } }
        let census = facts.satellites?.census ?? facts.figures?.census
        let isBySignal = census?.hasRepeats ?? false
        // gpsd leaves out of its list the satellites whose number it does not know. Its counts are those of signals if its list is.
        func count(_ listed: Int?, _ reported: Int?) -> Int? {
            guard let listed else { return reported }
            return isBySignal ? listed : max(listed, reported ?? 0)
        }
        facts.seen = count(census?.seen, faults.checked(report.nSat, .nSat))
        facts.used = count(census?.used, faults.checked(report.uSat, .uSat))
        facts.dilution = dilution
        facts.timestamp = report.time
        facts.device = report.receiver
        self.init(facts, census)
    }
}

extension SignalFigures {
    /// Creates the figures of gpsd's report of a signal, without implausible values.
    @inline(__always)
    fileprivate init(_ report: SKYReport.Signal) {
        var faults: ImplausibleFields = []
        self.init(
            constellation: faults.checked(report.gnssid, .gnssid).flatMap(Constellation.init)?.rawValue,
            number: faults.checked(report.svid, .svid), prn: faults.checked(report.PRN, .PRN),
            band: faults.checked(report.sigid, .sigid), signal: faults.checked(report.heardSignal, .ss),
            isUsed: report.used)
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
