import Glibc
import LocationCore
import LocwatchPlatform

/// The bytes that a gpsd reads from a device, which it passes on as they are.
package enum RawTraffic {
    /// Returns the number of bytes within a time, or `nil` if the gpsd cannot be asked; blocks.
    package static func count(of device: String, at endpoint: GPSDEndpoint, within time: Duration) -> Int? {
        guard let connection = try? GPSDConnection(endpoint) else { return nil }
        let watch = #"?WATCH={"enable":true,"json":false,"raw":2,"device":"# + JSONText.quoted(device) + "};\n"
        guard (try? connection.send(watch)) != nil else { return nil }
        var counter = Counter()
        var deadline: ContinuousClock.Instant?
        let limit = ContinuousClock.now + time + .seconds(2)
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let left = (deadline ?? limit) - .now
            guard left > .zero, PollSet.wait(for: connection.descriptor, within: left) else { break }
            let count = recv(connection.descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { break }
            counter.process(chunk.prefix(count))
            // The time begins with the answer to the watch.
            if deadline == nil, counter.isWatching { deadline = .now + time }
        }
        return counter.isWatching ? counter.count : nil
    }

    /// The count of the bytes that are not gpsd's own lines, which precede the first of them.
    struct Counter {
        private(set) var count = 0
        /// Whether the answer to the watch has come.
        private(set) var isWatching = false
        private var line: [UInt8] = []
        private static let longestLine = 65_536

        mutating func process(_ bytes: ArraySlice<UInt8>) {
            var bytes = bytes
            while !isWatching, let byte = bytes.popFirst(), line.count < Self.longestLine {
                line.append(byte)
                guard byte == UInt8(ascii: "\n") else { continue }
                isWatching = line.starts(with: #"{"class":"WATCH""#.utf8)
                line = []
            }
            count += bytes.count
        }
    }
}
