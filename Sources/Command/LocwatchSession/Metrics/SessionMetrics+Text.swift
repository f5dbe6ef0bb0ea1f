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
        text.family("locwatch_build_info", .gauge, "The version of locwatch as a label; always 1")
        text.add(1, ("version", Version.number))
        text.family("locwatch_up", .gauge, "Whether the source is connected")
        text.add(isUp)
        text.family("locwatch_state", .gauge, "The state of the session: 1 for the current one")
        if let state {
            for word in ["found", "searching", "error"] { text.add(state.code == word, ("state", word)) }
        }
        text.family("locwatch_transitions_total", .counter, "Changes of the state of the session")
        for (change, count) in changes.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            text.add(count, ("from", change[0]), ("to", change[1]), ("reason", change[2]))
        }
        text.family("locwatch_handovers_total", .counter, "Changes of the current receiver")
        text.add(handovers)
        text.family(
            "locwatch_distance_meters_total", .counter,
            "The distance that the session has covered, without the drift of a standstill, or that of its odometer")
        text.add(distance)
        // The name of release 0.5, which goes in 0.7.
        text.family(
            "locwatch_distance_metres_total", .counter, "Deprecated: the same as locwatch_distance_meters_total")
        text.add(distance)
        text.family("locwatch_failures_total", .counter, "Failures of the connection to the source")
        for (code, count) in failures.sorted(by: { $0.key < $1.key }) { text.add(count, ("code", code)) }
    }

    private var isUp: Bool {
        switch state {
        case .found: true
        case .searching(.starting), .searching(.connecting), .error, nil: false
        case .searching: true
        }
    }

    private func putCorrections(_ text: inout PrometheusText) {
        text.family("locwatch_corrections_arriving", .gauge, "Whether the source of corrections sends them")
        guard state != nil, let corrections else { return }
        text.add(corrections.isArriving, ("source", corrections.source.printable))
    }

    private func putDevices(_ text: inout PrometheusText) {
        let isOver = state == nil
        text.family("locwatch_device_found", .gauge, "Whether the device has a current position")
        each { text.add(isOver ? nil : $1.isFound, ("device", $0)) }
        text.family("locwatch_positions_total", .counter, "Positions of the device")
        each { text.add($1.positions, ("device", $0)) }
        text.family("locwatch_last_fix_timestamp_seconds", .gauge, "The time of the last position of the device")
        each { device, figures in
            let seconds = figures.lastFix.map { Double($0.nanosecondsSince1970 / 1_000_000) / 1000 }
            text.add(seconds, ("device", device))
        }
        text.family(
            "locwatch_integrity", .gauge, "Whether positions are to be believed: 0 nominal, 1 suspect, 2 alarm")
        each { text.add(isOver ? nil : IntegrityVerdict.allCases.firstIndex(of: $1.verdict), ("device", $0)) }
        text.family("locwatch_integrity_reason", .gauge, "The reasons of a device that is not nominal")
        each { device, figures in
            for code in isOver ? [] : figures.reasons.codes { text.add(1, ("device", device), ("reason", code)) }
        }
        text.family(
            "locwatch_unlisted_reports_total", .counter, "Reports of devices beyond the number that have series")
        text.add(unlistedReports > 0 ? unlistedReports : nil)
        text.family("locwatch_fence_inside", .gauge, "Whether the position is inside the fence")
        for (place, isInside) in fences.sorted(by: { $0.key.sortable < $1.key.sortable }) {
            text.add(isOver ? nil : isInside, ("fence", place.fence), ("device", place.device))
        }
    }

    private func each(_ body: (String?, DeviceMetrics) -> Void) {
        for place in 0..<devices.count { body(devices.device(at: place), devices[place: place]) }
    }

    private func putPositions(_ text: inout PrometheusText) {
        func family(_ name: StaticString, _ help: StaticString, _ value: (Location) -> Double?) {
            text.family(name, .gauge, help)
            each { device, figures in text.add(figures.position.flatMap(value), ("device", device)) }
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
        short("locwatch_correction_age_seconds", "The age of the corrections in the fix") { $0[.dgpsAge] }
        family("locwatch_correction_station", "The number of the reference station of the corrections") {
            $0[.dgpsStation]
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
        short("locwatch_heading_degrees", "The direction to which the front points, from true north") { $0.heading }
        text.family(
            "locwatch_clock_offset_seconds", .gauge,
            "The system clock minus the receiver's time: pps at its pulse, toff and report with a message's delay")
        each { device, figures in
            text.add(figures.pulseOffset, ("device", device), ("source", "pps"))
            text.add(figures.messageOffset, ("device", device), ("source", "toff"))
            text.add(figures.position == nil ? nil : figures.clockOffset, ("device", device), ("source", "report"))
        }
    }

    private func putDeliveries(_ text: inout PrometheusText) {
        text.family("locwatch_queue_records", .gauge, "Records that the target has not taken yet")
        for delivery in deliveries { text.add(delivery.status.queued, ("target", delivery.target)) }
        text.family("locwatch_target_connected", .gauge, "Whether the target is connected")
        for delivery in deliveries { text.add(delivery.status.phase == .connected, ("target", delivery.target)) }
        text.family("locwatch_published_total", .counter, "Records by what became of them")
        for (target, status) in deliveries {
            text.add(Double(status.taken), ("target", target), ("result", "taken"))
            text.add(Double(status.omitted), ("target", target), ("result", "omitted"))
            text.add(Double(status.dropped), ("target", target), ("result", "dropped"))
            text.add(Double(status.rejected), ("target", target), ("result", "rejected"))
        }
    }
}
