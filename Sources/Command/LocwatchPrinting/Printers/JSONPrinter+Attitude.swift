import LocationCore

extension JSONPrinter {
    /// Appends a line for an attitude that belongs to no position.
    func print(_ attitude: Attitude, received: Timestamp, into out: inout TextBuffer) {
        out.line("attitude") { line in
            line.member("time", attitude.timestamp)
            line.member("device", attitude.device)
            line.member("heading", attitude.heading)
            line.member("headingMagnetic", attitude.headingMagnetic)
            line.member("pitch", attitude.pitch)
            line.member("roll", attitude.roll)
            line.member("rateOfTurn", attitude.rateOfTurn)
            line.member("received", received)
        }
    }
}
