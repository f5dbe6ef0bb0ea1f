import LocationCore
import LocationTracks
import LocwatchTerminal

/// The lines of positions behind their times: columns, marks, and the name of the receiver, never wider than the room.
struct PositionColumns {
    private var columns = Columns()

    /// Shows every column again, as after a change of the width.
    mutating func restore() { columns.dropped = 0 }

    mutating func put(
        _ reported: TrackPoint, named name: String, in room: Int, _ style: TextStyle, into out: inout TextBuffer
    ) {
        let location = reported.location
        let start = out.count
        let usual = columns
        put(reported, style, into: &out)
        func excess() -> Int { out.columns(from: start) + columns.room(for: name) - room }
        var isBrief = location.quality == .ordinary
        var includesHeading = location.attitude != nil
        var marks = Int.max
        while excess() > 0 {
            // Where a receiver is matters more than where it points.
            if includesHeading {
                includesHeading = false
            } else if isBrief, !columns.drop() {
                marks = min(marks, reported.marks(isBrief: true, includesHeading: false, style).count) - 1
                if marks < 0 { break }
            } else {
                isBrief = true
            }
            out.cut(to: start)
            put(reported, isBrief: isBrief, includesHeading: includesHeading, marks: marks, style, into: &out)
        }
        let end = out.count
        put(name, in: room - out.columns(from: start), style, into: &out)
        // Marks that are unusual for a line must not change the columns of the following lines.
        if end < out.count || location.isLate || reported.isUnusual { columns.dropped = usual.dropped }
        if out.columns(from: start) > room {
            let line = String(decoding: out.written[start...], as: UTF8.self)
            out.cut(to: start)
            out.put(ShortenedText.beginning(line, to: room, style.glyphs))
        }
    }

    /// Appends the columns and the marks of a position.
    private mutating func put(
        _ reported: TrackPoint, isBrief: Bool = false, includesHeading: Bool = true, marks: Int = .max,
        _ style: TextStyle, into out: inout TextBuffer
    ) {
        let location = reported.location
        columns.lineStart = out.count
        columns.put(.latitude, into: &out) { $0.put(coordinate: location.coordinate.latitude, .latitude, style) }
        columns.put(.longitude, into: &out) { $0.put(coordinate: location.coordinate.longitude, .longitude, style) }
        columns.put(.accuracy, into: &out) { out in
            out.put(location.horizontalAccuracy) { out, metres in
                out.put(style.glyphs.plusMinus)
                out.put(length: metres, in: style.units)
            }
        }
        columns.put(.altitude, into: &out) { out in
            // The height above the ellipsoid differs from the altitude by tens of metres, so it is marked as such.
            if location.altitudeMSL == nil, location.altitudeHAE != nil { out.put("hae ") }
            out.put(location.altitudeMSL ?? location.altitudeHAE) { out, metres in
                let (value, unit) = style.units.length(metres)
                // Decimetres are shown if the receiver is that accurate.
                out.put(fixed: value, decimals: (location.verticalAccuracy ?? 1) < 1 ? 1 : 0)
                out.put(" \(unit)")
            }
        }
        columns.put(.speed, into: &out) { $0.put(location.speed) { $0.put(speed: $1, in: style.units) } }
        columns.put(.course, into: &out) { $0.put(location.course) { $0.put(direction: $1, style.glyphs) } }
        columns.put(.satellites, into: &out) { out in
            if reported.used == nil, reported.seen == nil { return out.putUnknown() }
            out.put(reported.used) { $0.put($1) }
            out.put(UInt8(ascii: "/"))
            out.put(reported.seen) { $0.put($1) }
        }
        let all = reported.marks(isBrief: isBrief, includesHeading: includesHeading, style)
        for mark in all.prefix(marks) { out.put(mark) }
    }

    /// Appends the name of a receiver behind the columns, shortened to the room left, if any.
    private func put(_ name: String, in room: Int, _ style: TextStyle, into out: inout TextBuffer) {
        guard !name.isEmpty, room >= Columns.leastName else { return }
        out.put("  ")
        out.put(ShortenedText.receiver(name, to: room - 2, style.glyphs))
    }
}

extension TrackPoint {
    /// Whether the line of the position has a mark that most lines lack.
    fileprivate var isUnusual: Bool {
        location.fix == .twoD || location.quality != .ordinary || verdict != .nominal || interpolatedOver != nil
    }
}
