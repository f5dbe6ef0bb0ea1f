import LocationCore
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchTerminal

/// The screens of the monitor: golden texts of every state at two sizes, and of two states at every size.
///
/// With LOCWATCH_WRITE_GOLDEN=1 the files are rewritten; check the difference before committing it.
@Suite struct MonitorGoldenTests {
    @Test(arguments: MonitorSamples.all.map(\.name))
    func `every state has its screen`(name: String) throws {
        let state = try MonitorSamples.named(name)
        let screens = MonitorSamples.goldenSizes(of: name).map { columns, rows in
            "\(columns)x\(rows)\n\(state.screen(columns: columns, rows: rows))"
        }
        try Golden.expect(screens.joined(), is: "Monitor/\(name).txt")
    }

    @Test(arguments: [MonitorGlyphs.blocks, .ascii])
    func `a terminal without braille gets blocks or ASCII`(glyphs: MonitorGlyphs) throws {
        let view = with(MonitorView()) { $0.glyphs = glyphs }
        let text = try MonitorSamples.named("found").screen(columns: 120, rows: 40, view)
        try Golden.expect(text, is: "Monitor/found-\(glyphs).txt")
    }

    @Test(arguments: [(50, 20), (40, 24), (59, 40)])
    func `a narrow screen shows the log in the rows below the position, unless it is hidden`(columns: Int, rows: Int)
        throws
    {
        let found = try MonitorSamples.named("found")
        let lines = found.screen(columns: columns, rows: rows).split(separator: "\n", omittingEmptySubsequences: false)
        let title = try #require(lines.firstIndex { $0.contains(" log ") })
        #expect(lines[..<title].allSatisfy { !$0.allSatisfy(\.isWhitespace) }, "no row above it is empty")
        #expect(lines[title + 1].contains(":"), "an event with its time")
        let view = with(MonitorView()) { $0.hidden = [LogBox.name] }
        #expect(!found.screen(columns: columns, rows: rows, view).contains(" log "))
    }

    @Test func `the list of the keys is readable on small screens, and says if a part is missing`() throws {
        let found = try MonitorSamples.named("found")
        let view = with(MonitorView()) { $0.showsHelp = true }
        func text(_ columns: Int, _ rows: Int) -> String { found.screen(columns: columns, rows: rows, view) }
        let narrow = text(40, 60)
        for word in HelpBox.keys.flatMap({ $0.meaning.split(separator: " ") }) { #expect(narrow.contains(word)) }
        #expect(!narrow.contains("more lines") && !text(80, 24).contains("more lines"))
        #expect(text(40, 20).contains("more lines"))
    }

    @Test(arguments: [Key.down, .pageDown, .end])
    func `the list of the keys scrolls to its end on a small screen, and no further`(key: Key) throws {
        let found = try MonitorSamples.named("found")
        let hidden = HelpBox.hiddenLines(on: ScreenSize(columns: 40, rows: 12))
        var (view, seen) = (with(MonitorView()) { $0.showsHelp = true }, "")
        for _ in 0...hidden {
            seen += found.screen(columns: 40, rows: 12, view)
            #expect(view.process(key, found, hiddenHelp: hidden) == nil)
        }
        #expect(view.helpScrolled == hidden && hidden > 10)
        #expect(seen.contains(" down: \(hidden) more lines ") && seen.contains(" up: \(hidden) more lines "))
        if key == .down {
            for word in HelpBox.keys.flatMap({ $0.meaning.split(separator: " ") }) { #expect(seen.contains(word)) }
            #expect(seen.contains(" down: 1 more line "))
        }
        #expect(view.process(.home, found, hiddenHelp: hidden) == nil && view.helpScrolled == 0)
        _ = view.process(.pageDown, found, hiddenHelp: hidden)
        for _ in 0..<2 { _ = view.process(.character("?"), found, hiddenHelp: hidden) }
        #expect(view.showsHelp && view.helpScrolled == 0, "it begins at its first line")
    }

    @Test func `the keys, the filter, the playback and the other choices have their screens`() throws {
        let changes: [(inout MonitorView) -> Void] = [
            { $0.showsHelp = true }, { ($0.isEditingFilter, $0.filter) = (true, "FIX") },
            { $0.playback = PlaybackStatus(rate: 2, isPaused: true, position: .seconds(125)) },
            { ($0.frozen, $0.showsRaw) = (ScriptedSession.moment(120).wall, true) },
            { ($0.hidden, $0.order, $0.groupsSignals) = (["sky", "log"], .number, false) },
            { ($0.ground, $0.isHeadingUp, $0.degrees, $0.units) = (.track, true, .seconds, .nautical) },
        ]
        let text = try changes.map { try MonitorSamples.named("found").screen(with(MonitorView(), $0)) }
        try Golden.expect(text.joined(separator: "\n"), is: "Monitor/choices.txt")
    }
}

/// The statements of the monitor's screens, in every layout.
@Suite struct MonitorTruthTests {
    /// Returns the styles of a text's cells, at its first place.
    private func styles(of text: String, in frame: Frame) -> Set<CellStyle> {
        guard let place = frame.cells.map(\.scalar).firstRange(of: Array(text.unicodeScalars)) else { return [] }
        return Set(frame.cells[place].map(\.style))
    }

    @Test(arguments: ["found", "stale", "lost", "error"])
    func `a current position is bold, and another one is dimmed and shows its age`(name: String) throws {
        let isCurrent = name == "found"
        let size = ScreenSize(columns: 80, rows: 24)
        let frame = Monitor.render(try MonitorSamples.named(name), MonitorView(), size: size)
        #expect(styles(of: "45.07", in: frame) == [isCurrent ? .bold : CellStyle(attributes: .faint)])
        #expect(frame.text.contains(" old") == !isCurrent)
    }

    @Test(arguments: MonitorSamples.all.map(\.name), MonitorSamples.sizes)
    func `position and state are on every screen`(name: String, size: (columns: Int, rows: Int)) throws {
        let text = try MonitorSamples.named(name).screen(columns: size.columns, rows: size.rows).lowercased()
        let word =
            switch name {
            case "searching", "no-device", "no-satellites": "searching"
            case "stale", "lost", "error": name
            default: "found"
            }
        #expect(text.contains(word))
        // Small screens of a fleet have only the names and the states.
        if name != "fleet" { #expect(text.contains("45.073") == (word != "searching")) }
    }

    @Test(arguments: Units.allCases, MonitorGlyphs.allCases)
    func `no unit of a device's row is cut`(units: Units, glyphs: MonitorGlyphs) throws {
        let view = with(MonitorView()) { ($0.units, $0.glyphs) = (units, glyphs) }
        let devices = [4.6, 99.9, 999.4, 3000].enumerated().map { index, accuracy in
            let location = with(ScriptedSession.location(10, latitude: -45.07361, longitude: -179.07361)) {
                ($0.device, $0.horizontalAccuracy, $0.speed) = ("van-\(index)", accuracy, accuracy / 10)
            }
            return LocationUpdate(.location(location), at: 10)
        }
        let state = MonitorSamples.state(devices, at: 11, ofFleet: true)
        let text = state.screen(view)
        let rows = text.split(separator: "\n").filter { $0.contains("van-") && $0.contains("found      1 s") }
        #expect(rows.count == 4)
        let (length, speed) = (units.length(1).unit, units.speed(1).unit)
        for row in rows { #expect(row.contains(" \(length) ") && row.contains(" \(speed)"), "\(row)") }
    }

    @Test func `the figures of the history are the lowest and the highest, of all seconds and with all digits`() {
        let histories: [(seconds: Int, shown: [String], change: (Int, inout Location) -> Void)] = [
            (300, ["last 10 min: lowest…highest", "0.5…40.0"], { $1.speed = $0 == 150 ? 40 : $0 == 200 ? 0.5 : 10 }),
            (
                300, [" 468…1315", " …123456"],
                { ($1.speed, $1.altitudeMSL) = $0 == 150 ? (1315.3, 123_456) : (467.5, -9999) }
            ),
            (
                300, [" 1.5…999.5", " -10…12345"],
                { ($1.speed, $1.altitudeMSL) = $0 == 150 ? (999.5, 12_345) : (1.5, -10) }
            ),
            (300, ["10.0…40.0"], { $1.speed = $0 == 299 ? 40 : 10 }),
            (3, ["10.0…40.0"], { $1.speed = $0 == 2 ? 40 : 10 }),
        ]
        for (seconds, shown, change) in histories {
            let updates = (0..<seconds).map { second in
                let location = with(ScriptedSession.location(Double(second))) { change(second, &$0) }
                return LocationUpdate(.location(location), at: Double(second))
            }
            let state = MonitorSamples.state(updates, at: Double(seconds - 1))
            for columns in [80, 200] {
                let text = state.screen(columns: columns)
                for words in shown { #expect(text.contains(words), "\(words)\n\(text)") }
            }
        }
    }
}

/// Random states at random sizes, also with names that a hostile peer chose.
@Suite struct MonitorPropertyTests {
    private static let names = [
        "/dev/ttyACM0", "", "\u{1B}[2J\u{1B}]0;owned\u{7}", "\u{202E}evil\u{202C}", "שלום", "مرحبا", "受信機",
        "e\u{301}\u{301}\u{301}", "👩‍👩‍👧‍👦", String(repeating: "長", count: 200), "a\nb\tc", "\u{0}\u{9B}31m",
        "\u{AD}\u{FEFF}",
        String(repeating: "x", count: 5000), "🇮🇹", "\u{2028}",
    ]

    private func value(_ random: inout SplitMix64) -> Double? {
        switch random.below(8) {
        case 0: nil
        case 1: .infinity
        case 2: -1e300
        case 3: .nan
        case 4: 1e18
        default: random.unit() * 400 - 100
        }
    }

    private func event(_ random: inout SplitMix64, _ name: String) -> LocationEvent {
        switch random.below(9) {
        case 0, 1, 2:
            var location = Location(
                coordinate: Coordinate(latitude: random.unit() * 180 - 90, longitude: random.unit() * 360 - 180),
                device: random.below(9) == 0 ? nil : name, horizontalAccuracy: value(&random),
                altitudeMSL: value(&random), speed: value(&random), course: value(&random))
            location.verticalAccuracy = value(&random)
            return .location(location)
        case 3, 4:
            let satellites = (0..<random.below(90)).map { index in
                Satellite(
                    constellation: Constellation(rawValue: random.below(9)), number: index * 7 - 3, prn: index,
                    elevation: value(&random), azimuth: value(&random), signal: value(&random),
                    isUsed: random.below(2) == 0)
            }
            let dilution = with(DilutionOfPrecision()) { $0.horizontal = value(&random) }
            return .satellites(SkyView(satellites: satellites, dilution: dilution, device: name))
        case 5: return .searching(.deviceSilent(path: name), device: name)
        case 6: return .failure(.daemon(message: name))
        case 7: return random.below(2) == 0 ? .notice(.message(name)) : .line(Array("{\"\(name)\"}".utf8))
        default:
            return .device(
                with(DeviceStatus(path: name, activity: .babbling)) { ($0.driver, $0.subtype) = (name, name) })
        }
    }

    private func state(_ random: inout SplitMix64) -> MonitorState {
        var seconds = 0.0
        let isFleet = random.below(4) == 0
        let updates = (0..<random.below(60)).map { _ in
            seconds += random.unit() * 20
            let name = Self.names[random.below(Self.names.count)]
            return LocationUpdate(event(&random, name), at: seconds)
        }
        return MonitorSamples.state(
            updates, at: seconds + random.unit() * 100, place: Self.names[random.below(Self.names.count)],
            ofFleet: isFleet)
    }

    private func view(_ random: inout SplitMix64) -> MonitorView {
        var view = MonitorView()
        for box in BoxTable.hideable where random.below(2) == 0 { view.hidden.insert(box.name) }
        view.glyphs = MonitorGlyphs.allCases[random.below(3)]
        view.order = MonitorView.SignalOrder.allCases[random.below(3)]
        view.groupsSignals = random.below(2) == 0
        view.isHeadingUp = random.below(2) == 0
        view.showsRaw = random.below(3) == 0 ? true : nil
        view.ground = MonitorView.Ground.allCases[random.below(4)]
        view.showsHour = random.below(2) == 0
        view.showsHelp = random.below(6) == 0
        view.degrees = DegreeStyle.allCases[random.below(3)]
        view.units = Units.allCases[random.below(3)]
        view.filter = random.below(4) == 0 ? Self.names[random.below(Self.names.count)] : ""
        if random.below(8) == 0 { view.message = Self.names[random.below(Self.names.count)] }
        return view
    }

    @Test(arguments: 0..<UInt64(Coverage.cases(20)))
    func `a screen of any size has whole characters only, and none that a terminal would obey`(seed: UInt64) {
        var random = SplitMix64(seed: seed, stream: 18)
        let state = state(&random)
        for _ in 0..<12 {
            let view = view(&random)
            let size = ScreenSize(columns: 1 + random.below(300), rows: 1 + random.below(100))
            let frame = Monitor.render(state, view, size: size)
            for row in 0..<size.rows {
                let cells = Array(frame.row(row))
                let broken = cells.indices.filter { column in
                    let scalar = cells[column].scalar
                    let isAfterWide = column > 0 && DisplayWidth.of(cells[column - 1].scalar) == 2
                    if cells[column].isRightHalf { return !isAfterWide }
                    let isWide = column + 1 < size.columns && cells[column + 1].isRightHalf
                    return !DisplayWidth.isShowable(scalar) || (DisplayWidth.of(scalar) == 2) != isWide
                }
                #expect(broken.map { cells[$0].scalar } == [])
            }
            if view.glyphs == .ascii { #expect(frame.cells.allSatisfy { $0.scalar.isASCII }) }
        }
    }

    @Test(arguments: 0..<UInt64(Coverage.cases(16)))
    func `the bytes between any two screens turn the one into the other`(seed: UInt64) {
        var random = SplitMix64(seed: seed, stream: 19)
        let size = ScreenSize(columns: 1 + random.below(140), rows: 1 + random.below(50))
        for depth in ColorDepth.allCases {
            var encoder = FrameEncoder(depth: depth)
            var terminal = TerminalModel(columns: size.columns, rows: size.rows)
            var fresh = TerminalModel(columns: size.columns, rows: size.rows)
            for _ in 0..<4 {
                let frame = Monitor.render(state(&random), view(&random), size: size)
                // The bytes arrive in pieces.
                var bytes = encoder.bytes(for: frame)[...]
                while !bytes.isEmpty {
                    let piece = bytes.prefix(1 + random.below(200))
                    terminal.write(piece)
                    bytes = bytes.dropFirst(piece.count)
                }
                #expect(terminal.text == frame.text)
                #expect(terminal.unknown == [])
                #expect(!terminal.isSynchronized)
                var whole = FrameEncoder(depth: depth)
                fresh.write(whole.bytes(for: frame))
                #expect(terminal.styles == fresh.styles)
                #expect(encoder.bytes(for: frame) == [], "nothing is written when nothing has changed")
            }
        }
    }

    @Test func `a hostile name is shown with its control characters written out`() {
        let name = "\u{1B}[31m\u{202E}מ\u{7}x"
        let updates = [MonitorSamples.status(name), MonitorSamples.location(2, device: name)]
        let text = MonitorSamples.state(updates, at: 4, place: name).screen(columns: 200, rows: 60)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || DisplayWidth.isShowable($0) })
        #expect(text.contains("\\x1b[31m"))
    }
}
