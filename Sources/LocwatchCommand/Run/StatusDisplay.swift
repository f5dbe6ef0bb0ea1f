import LocationCore

/// The line on the terminal that tells of the search while there is no position, rewritten in place.
final class StatusDisplay {
    /// Whether there is a line at all.
    let isShown: Bool
    private let glyphs: Glyphs
    /// What is said besides, under `--verbose`.
    private var diary: SessionDiary?
    private var since = Duration.zero
    private var state = LocationState.searching(.starting)
    private var sky: SkyView?
    private var line = ScreenLine()

    /// - Parameter isWanted: whether the settings let it be; it needs a terminal too.
    init(isWanted: Bool, glyphs: Glyphs, diary: SessionDiary? = nil) {
        isShown = isWanted && Terminal.isShown(on: 2)
        self.glyphs = glyphs
        self.diary = diary
    }

    /// The same without the line, where something else has the screen.
    var withoutLine: StatusDisplay { StatusDisplay(isWanted: false, glyphs: glyphs, diary: diary) }

    /// How long until the line should be rewritten; `nil` where it need not be.
    var patience: Duration? {
        isShown && state.location == nil ? .seconds(1) : nil
    }

    /// Takes note of what the session tells, where it is of any use.
    func note(_ update: @autoclosure () -> TrackedUpdate) {
        if isShown || diary != nil { take(update()) }
    }

    private func take(_ update: TrackedUpdate) {
        if let words = diary?.words(for: update) {
            wipe()
            StandardStream.error.write("locwatch: \(words)\n")
        }
        guard isShown else { return }
        switch update {
        case .transition(let transition):
            if transition.to.location != nil {
                sky = nil
            } else if state.location != nil {
                since = transition.moment.elapsed
            }
            state = transition.to
        case .update(let update):
            if case .satellites(let sky) = update.event { self.sky = sky }
        }
    }

    /// Writes the line anew.
    func show(at now: Moment) {
        guard isShown else { return }
        let text = StatusLine.text(
            for: state, elapsed: max(.zero, now.elapsed - since), sky: sky, columns: line.columns, glyphs: glyphs)
        if let text { line.show(text) } else { line.wipe() }
    }

    /// Takes the line off the screen, before anything else is written there.
    func wipe() { line.wipe() }
}
