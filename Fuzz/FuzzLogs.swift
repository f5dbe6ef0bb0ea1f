import LocationCore
@testable import LocationGPSD
@testable import GPSDProtocol
@testable import LocwatchPlatform

/// Fuzzes what becomes of a raw log that a private gpsd decodes under its confinement.
///
/// gpsd is not instrumented, so the variations are not guided by its code. A crash of it must be an error, and is no
/// finding here.
func fuzzLogs(_ input: UnsafeBufferPointer<UInt8>) {
    guard let file = try? MemoryInput(Array(input)) else { return check(false, "there is no memory for a file") }
    var reading = InputReading()
    reading.isLog = true
    reading.logDecoder = RawLogDecoder()
    var decoder = ReportDecoder()
    do throws(LocationError) {
        let log = try RecordingInput(file: "/proc/self/fd/\(file.descriptor)", reading: reading)
        defer { log.close() }
        for line in try log.contents().split(separator: UInt8(ascii: "\n")) { _ = try? decoder.decode(Array(line)) }
    } catch {
        switch error {
        case .damaged(_, let cause): check(cause.hasPrefix("gpsd "), "the error does not name the program")
        case .notASession, .notARawLog: break
        default: check(false, "the error is not one of the file")
        }
    }
}
