@testable import LocationCore
@testable import LocwatchCommand
@testable import LocwatchTerminal

private let start = Timestamp(nanosecondsSince1970: 1_795_165_200_000_000_000)

private let state: MonitorState = {
    var state = MonitorState(place: "pi.local", now: Moment(elapsed: .zero, wall: start))
    var tracker = Tracker()
    for second in 1..<20 {
        let time = Duration.seconds(second)
        let moment = Moment(elapsed: time, wall: start.advanced(by: time))
        for device in ["/dev/ttyACM0", "/dev/ttyUSB0"] {
            let place = Coordinate(latitude: 45 + Double(second) / 1e5, longitude: 7)
            let location = Location(coordinate: place, timestamp: moment.wall, device: device, speed: 1)
            let sky = SkyView(satellites: nil, seen: second, used: 4, device: device)
            for event in [LocationEvent.location(location), .satellites(sky), .notice(.message("note \(second)"))] {
                tracker.apply(LocationUpdate(event, at: moment))
            }
            while let update = tracker.next() { state.process(update, tracker.view) }
        }
        state.advance(to: moment)
    }
    return state
}()

/// Fuzzes the keys of the monitor with the bytes of a terminal; the first two choose the size of its screen.
func fuzzKeys(_ input: UnsafeBufferPointer<UInt8>) {
    guard input.count > 2 else { return }
    let bytes = Array(input.dropFirst(2))
    var decoder = KeyDecoder()
    let keys = decoder.keys(in: bytes)
    checkPieces(bytes, keys)
    check(keys.count <= bytes.count, "there are more keys than bytes")

    var (view, state) = (MonitorView(), state)
    for key in keys.prefix(500) {
        guard let action = view.process(key, state) else { continue }
        if case .choose(let device) = action { state.choose(device) }
        if action == .freeze { view.frozen = view.frozen == nil ? start : nil }
    }
    check(!hides(view.filter), "the filter has a hidden character")
    let size = ScreenSize(columns: 1 + Int(input[0]), rows: 1 + Int(input[1]) / 4)
    let frame = Monitor.render(state, view, size: size)
    check(
        frame.cells.allSatisfy { $0.isRightHalf || !VisibleText.isHidden($0.scalar) },
        "the screen shows a hidden character")
    // Each cell can have a style of its own.
    var encoder = FrameEncoder(depth: .full)
    check(encoder.bytes(for: frame).count <= 1000 + 40 * frame.cells.count, "the screen is too long")
    check(encoder.bytes(for: frame).isEmpty, "the same screen is drawn again")
}

/// Checks that keys are the same in whatever pieces their bytes come, and that a sequence ends sooner or later.
private func checkPieces(_ bytes: [UInt8], _ keys: [Key]) {
    var decoder = KeyDecoder()
    check(bytes.flatMap { decoder.keys(in: [$0]) } == keys, "the size of the pieces matters")
    _ = decoder.expire()
    check(!decoder.isWaiting, "an escape character waits forever")
    // These end a sequence, a character and a string.
    _ = decoder.keys(in: [0x18, 0x1B, UInt8(ascii: "\\"), 0x18, UInt8(ascii: "a")])
    check(decoder.keys(in: [UInt8(ascii: "q")]) == [.character("q")], "a key is lost")
}
