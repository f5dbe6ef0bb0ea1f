package import LocationCore
import LocationPublishing
import LocwatchPrinting
import LocwatchSupport
import LocwatchTerminal

extension SessionMetrics {
    package var text: TextBuffer {
        var text = PrometheusText()
        putSession(&text)
        putCorrections(&text)
        putDevices(&text)
        if state != nil {
            putPositions(&text)
            putSkies(&text)
        }
        putDeliveries(&text)
        return text.out
    }

    private func putSession(_ text: inout PrometheusText) {
        text.family("locwatch_build_info", .gauge, "The version of locwatch as a label; always 1") {
            $0.add(1, ("version", Version.number))
        }
        text.family("locwatch_up", .gauge, "Whether the source is connected") { $0.add(isUp) }
        text.family("locwatch_state", .gauge, "The state of the session: 1 for the current one") { samples in
            guard let state else { return }
            for word in ["found", "searching", "error"] { samples.add(state.word == word, ("state", word)) }
        }
        text.family("locwatch_transitions_total", .counter, "Changes of the state of the session") { samples in
            for (change, count) in changes.sorted(by: { $0.key < $1.key }) {
                samples.add(count, ("from", change.from), ("to", change.to), ("reason", change.reason))
            }
        }
        text.family("locwatch_handovers_total", .counter, "Changes of the current receiver") { $0.add(handovers) }
        text.family("locwatch_failures_total", .counter, "Failures of the connection to the source") { samples in
            for (code, count) in failures.sorted(by: { $0.key < $1.key }) { samples.add(count, ("code", code)) }
        }
    }

    private func putCorrections(_ text: inout PrometheusText) {
        text.family("locwatch_corrections_arriving", .gauge, "Whether the source of corrections sends them") {
            samples in
            guard state != nil, let corrections else { return }
            samples.add(corrections.isArriving, ("source", corrections.source.printable))
        }
    }

    private var isUp: Bool {
        switch state {
        case .found: true
        case .searching(.starting), .searching(.connecting), .error, nil: false
        case .searching: true
        }
    }

    private func putDevices(_ text: inout PrometheusText) {
        text.family("locwatch_device_found", .gauge, "Whether the device has a current position") { samples in
            guard state != nil else { return }
            each { samples.add($1.isFound, ("device", $0)) }
        }
        text.family("locwatch_positions_total", .counter, "Positions of the device") { samples in
            each { samples.add($1.positions, ("device", $0)) }
        }
        text.family(
            "locwatch_last_fix_timestamp_seconds", .gauge, "The time of the last position of the device"
        ) { samples in
            each { device, figures in
                let seconds = figures.lastFix.map { Double($0.nanosecondsSince1970 / 1_000_000) / 1000 }
                samples.add(seconds, ("device", device))
            }
        }
        text.family(
            "locwatch_integrity", .gauge, "Whether positions are to be believed: 0 nominal, 1 suspect, 2 alarm"
        ) { samples in
            guard state != nil else { return }
            each { samples.add(IntegrityVerdict.allCases.firstIndex(of: $1.verdict), ("device", $0)) }
        }
        text.family("locwatch_integrity_reason", .gauge, "The reasons of a device that is not nominal") { samples in
            guard state != nil else { return }
            each { device, figures in
                for code in figures.reasons.codes { samples.add(1, ("device", device), ("reason", code)) }
            }
        }
        text.family(
            "locwatch_unlisted_reports_total", .counter, "Reports of devices beyond the number that have series"
        ) { if unlistedReports > 0 { $0.add(unlistedReports) } }
        text.family("locwatch_fence_inside", .gauge, "Whether the position is inside the fence") { samples in
            guard state != nil else { return }
            for (place, isInside) in fences.sorted(by: { $0.key < $1.key }) {
                samples.add(isInside, ("fence", place.fence), ("device", place.device))
            }
        }
    }

    private func each(_ body: (String?, DeviceMetrics) -> Void) {
        for place in 0..<devices.count { body(devices.device(at: place), devices[place: place]) }
    }

    private func putPositions(_ text: inout PrometheusText) {
        func family(_ name: StaticString, _ help: StaticString, _ value: (Location) -> Double?) {
            text.family(name, .gauge, help) { samples in
                each { device, figures in samples.add(figures.position.flatMap(value), ("device", device)) }
            }
        }
        // A receiver measures no more digits than this.
        func short(_ name: StaticString, _ help: StaticString, _ value: (Location) -> Double?) {
            family(name, help) { value($0).map { (Double(Float($0)) * 1000).rounded() / 1000 } }
        }
        family("locwatch_fix_mode", "The kind of fix: 2 or 3 dimensions") { Double($0.fix.rawValue) }
        family(
            "locwatch_fix_status",
            "How the fix was obtained: 1 ordinary, 2 differential, 3 RTK fixed, 4 RTK float, 5 dead reckoning, or another of gpsd's"
        ) { Double($0.quality.gpsdStatus) }
        short("locwatch_correction_age_seconds", "The age of the corrections in the fix") { $0.details?.dgpsAge }
        family("locwatch_correction_station", "The number of the reference station of the corrections") {
            $0.details?.dgpsStation.map(Double.init)
        }
        family("locwatch_latitude_degrees", "The latitude (WGS 84)") { $0.coordinate.latitude }
        family("locwatch_longitude_degrees", "The longitude (WGS 84)") { $0.coordinate.longitude }
        short("locwatch_altitude_msl_meters", "The altitude above mean sea level") { $0.altitudeMSL }
        short("locwatch_horizontal_error_meters", "The estimated horizontal error, with a confidence of 95 %") {
            $0.horizontalAccuracy
        }
        short("locwatch_vertical_error_meters", "The estimated vertical error, with a confidence of 95 %") {
            $0.verticalAccuracy
        }
        short("locwatch_speed_meters_per_second", "The speed over ground") { $0.speed }
        short("locwatch_course_degrees", "The course over ground from true north") { $0.course }
        text.family(
            "locwatch_clock_offset_seconds", .gauge,
            "The system clock minus the receiver's time: pps at its pulse, toff and report with a message's delay"
        ) { samples in
            each { device, figures in
                samples.add(figures.pulseOffset, ("device", device), ("source", "pps"))
                samples.add(figures.messageOffset, ("device", device), ("source", "toff"))
                samples.add(
                    figures.position == nil ? nil : figures.clockOffset, ("device", device), ("source", "report"))
            }
        }
    }

    private func putDeliveries(_ text: inout PrometheusText) {
        text.family("locwatch_queue_records", .gauge, "Records that the target has not taken yet") { samples in
            for delivery in deliveries { samples.add(delivery.status.queued, ("target", delivery.target)) }
        }
        text.family("locwatch_target_connected", .gauge, "Whether the target is connected") { samples in
            for delivery in deliveries {
                samples.add(delivery.status.phase == .connected, ("target", delivery.target))
            }
        }
        text.family("locwatch_published_total", .counter, "Records by what became of them") { samples in
            for delivery in deliveries {
                let (target, status) = (delivery.target, delivery.status)
                samples.add(Double(status.taken), ("target", target), ("result", "taken"))
                samples.add(Double(status.omitted), ("target", target), ("result", "omitted"))
                samples.add(Double(status.dropped), ("target", target), ("result", "dropped"))
                samples.add(Double(status.rejected), ("target", target), ("result", "rejected"))
            }
        }
    }
}

extension SessionMetrics.Change: Comparable {
    static func < (left: Self, right: Self) -> Bool {
        (left.from, left.to, left.reason) < (right.from, right.to, right.reason)
    }
}

extension SessionMetrics.FencePlace: Comparable {
    static func < (left: Self, right: Self) -> Bool {
        (left.fence, left.device ?? "") < (right.fence, right.device ?? "")
    }
}
