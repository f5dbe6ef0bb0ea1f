import LocationCore
import LocationTracks

extension WebPoints {
    /// The number of points that the page shows when it is opened, an hour at one a second.
    private static let recentLimit = 3600

    private static let columns: [(name: String, decimals: Int, value: @Sendable (WebPoint) -> Double?)] = [
        ("time", 0, { $0.time.map { Double($0.nanosecondsSince1970 / 1_000_000) } }),
        ("lat", 7, { $0.latitude }), ("lon", 7, { $0.longitude }), ("altMSL", 3, { $0.altitude.rounded }),
        ("eph", 3, { $0.horizontalError.rounded }), ("speed", 3, { $0.speed.rounded }),
        ("used", 0, { $0.used.map(Double.init) }), ("segment", 0, { $0.beginsSegment ? 1 : 0 }),
    ]

    /// The track as a file of GPX.
    var gpx: TextPieces {
        var (stream, place) = (TrackStream(.gpx), 0)
        return TextPieces { [self] size in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(size + 500)
            while bytes.count < size, place < list.count {
                if list[place].beginsSegment, place > 0 { stream.process(.gap(.missing), to: &bytes) }
                stream.process(.point(list[place].full), to: &bytes)
                place += 1
            }
            // The end is a piece of its own after the last point.
            if bytes.isEmpty, place == list.count {
                stream.finish(to: &bytes)
                place += 1
            }
            return bytes
        }
    }

    /// The track as a file of GeoJSON.
    var geojson: TextPieces {
        var pieces = GeoJSONPieces(count: list.count) { [self] in
            list[$0].beginsSegment
        } vertex: { [self] in
            list[$0].vertex
        }
        return TextPieces { pieces.next($0) }
    }

    /// The newest points as JSON for the page, each as a list of figures.
    var recent: TextPieces {
        let first = max(0, list.count - Self.recentLimit)
        var place = first - 1
        return TextPieces { [self] size in
            var out = TextBuffer()
            while out.count < size, place <= list.count {
                switch place {
                case ..<first: Self.putBeginning(to: &out)
                case list.count: out.put("]}\n")
                default:
                    out.put(place > first ? ",\n" : "\n")
                    Self.put(list[place], to: &out)
                }
                place += 1
            }
            return out.bytes
        }
    }

    private static func putBeginning(to out: inout TextBuffer) {
        out.put("{\"columns\":")
        out.list(columns) { $0.put(jsonString: $1.name) }
        out.put(",\"points\":[")
    }

    private static func put(_ point: WebPoint, to out: inout TextBuffer) {
        out.list(columns) { out, column in
            if let value = column.value(point) {
                out.put(trimmed: value, decimals: column.decimals)
            } else {
                out.put("null")
            }
        }
    }
}
