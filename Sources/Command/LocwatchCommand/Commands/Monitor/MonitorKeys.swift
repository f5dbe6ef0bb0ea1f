import LocwatchSupport
import LocwatchTerminal

/// The effect of a key that concerns more than the view.
enum MonitorAction: Hashable, Sendable {
    case quit, freeze, redraw, saveRecording, savePicture
    case scrub(Duration)
    case changePace(Double)
    /// Shows a receiver, or the current one.
    case choose(String??)
}

extension MonitorView {
    private static let page = 10
    private static let longestFilter = 64

    /// Processes a key while a state is shown, with these rows of the log, with or without these boxes, and with these lines of the
    /// keys for which there is no room; returns its effect if it concerns more than the view.
    mutating func process(
        _ key: Key, _ state: MonitorState, logRows: Int = 1, showsGround: Bool = false, showsRaw: Bool = false,
        hiddenHelp: Int = 0
    ) -> MonitorAction? {
        message = nil
        if isEditingFilter {
            edit(key)
            return nil
        }
        if showsHelp, hiddenHelp > 0, let rows = Self.rows(of: key) {
            helpScrolled = min(max(0, helpScrolled + rows), hiddenHelp)
            return nil
        }
        switch key {
        case .character("r"): self.showsRaw = !showsRaw
        case .character("t"): switchGround(state, isShown: showsGround)
        case .character(let scalar): return process(scalar)
        case .left: return playback == nil ? nil : .scrub(.seconds(-10))
        case .right: return playback == nil ? nil : .scrub(.seconds(10))
        case .up, .down, .pageUp, .pageDown, .home, .end: move(Self.rows(of: key) ?? 0, state, logRows)
        case .tab, .backTab: scrollsLog.toggle()
        case .enter:
            let order = DevicesBox.order(state)
            guard !order.isEmpty else { return nil }
            let device = state.devices.device(at: order[DevicesBox.selection(state, self, order)])
            return state.devices.count > 1 ? .choose(.some(device)) : nil
        case .escape, .backspace:
            if showsHelp {
                showsHelp = false
            } else if !filter.isEmpty {
                filter = ""
            } else {
                return .choose(nil)
            }
        }
        return nil
    }

    /// Returns the rows by which a key moves a list, or `nil` for a key that moves none.
    private static func rows(of key: Key) -> Int? {
        switch key {
        case .up: -1
        case .down: 1
        case .pageUp: -page
        case .pageDown: page
        case .home: -MonitorState.deviceLimit
        case .end: MonitorState.deviceLimit
        default: nil
        }
    }

    private mutating func process(_ scalar: Unicode.Scalar) -> MonitorAction? {
        switch scalar {
        case "q": return .quit
        case " ": return .freeze
        case "\u{0C}": return .redraw
        case "w": return .saveRecording
        case "p": return .savePicture
        case "+", "=": return .changePace(2)
        case "-": return .changePace(0.5)
        case "?": (showsHelp, helpScrolled) = (!showsHelp, 0)
        case "d": degrees = degrees.next
        case "u": units = units.next
        case "m": units = .metric
        case "i": units = .imperial
        case "n": units = .nautical
        case "g": groupsSignals.toggle()
        case "s": order = order.next
        case "h": isHeadingUp.toggle()
        case "z": showsHour.toggle()
        case "/": isEditingFilter = true
        default:
            if let box = BoxTable.hideable.first(where: { $0.key == scalar }) {
                hidden.formSymmetricDifference([box.name])
            }
        }
        return nil
    }

    /// Shows the ground on a screen without it, then the other picture of it, and then what suits the screen and the receiver.
    private mutating func switchGround(_ state: MonitorState, isShown: Bool) {
        ground =
            switch ground {
            case .automatic where !isShown: .shown
            case .automatic, .shown: state.scene.isMoving ? .scatter : .track
            case .track, .scatter: .automatic
            }
    }

    private mutating func edit(_ key: Key) {
        switch key {
        case .enter, .tab: isEditingFilter = false
        case .escape:
            isEditingFilter = false
            filter = ""
        case .backspace: filter = String(filter.dropLast())
        case .character(let scalar):
            if DisplayWidth.isShowable(scalar), filter.unicodeScalars.count < Self.longestFilter {
                filter.unicodeScalars.append(scalar)
            }
        default: break
        }
        scrolled = 0
    }

    private mutating func move(_ rows: Int, _ state: MonitorState, _ logRows: Int) {
        if scrollsLog || state.devices.count < 2 {
            scrolled = min(max(0, scrolled - rows), max(0, state.log.entries.count - logRows))
            return
        }
        let order = DevicesBox.order(state)
        let row = min(max(0, DevicesBox.selection(state, self, order) + rows), order.count - 1)
        selected = .some(state.devices.device(at: order[row]))
    }
}

extension CaseIterable where Self: Equatable {
    /// The case after this one; after the last one comes the first.
    fileprivate var next: Self {
        let cases = Array(Self.allCases)
        let place = cases.firstIndex(of: self).map { $0 + 1 } ?? 0
        return cases[place % cases.count]
    }
}
