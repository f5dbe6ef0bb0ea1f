import LocwatchSupport
import LocwatchTerminal

/// A painter of screens that draws only what depends on something that has changed since the frame before.
///
/// Its frames are those of `Monitor.render`, apart from positions on the ground, which appear once a second. At one epoch a second the sky, the history and the log seldom change, but
/// are most of the work.
struct MonitorPainter {
    /// The choices on which the places or the content of every box depend.
    private struct Choices: Hashable {
        let size: ScreenSize
        let style: TextStyle
        let glyphs: MonitorGlyphs
        let hidden: Set<String>
        let (groupsSignals, isHeadingUp, hasSwitchedRaw, showsTrack, showsHour, isFleet):
            (Bool, Bool, Bool, Bool, Bool, Bool)
        let ground: MonitorView.Ground
        let order: MonitorView.SignalOrder
        let filter: String
        let chosen: String??
        let devices: Int

        init(_ state: MonitorState, _ view: MonitorView, _ size: ScreenSize) {
            self.size = size
            style = view.style
            glyphs = view.glyphs
            hidden = view.hidden
            (groupsSignals, isHeadingUp, hasSwitchedRaw) = (view.groupsSignals, view.isHeadingUp, view.hasSwitchedRaw)
            (showsTrack, showsHour, isFleet) = (GroundBox.showsTrack(state, view), view.showsHour, state.isFleet)
            ground = view.ground
            order = view.order
            filter = view.filter
            chosen = state.chosen
            devices = state.devices.count
        }
    }

    private struct Kept {
        let box: any MonitorBox.Type
        let content: Area
        /// The inputs of the drawn content, or `nil` if it changes whenever a frame is drawn.
        var inputs: BoxInputs?
    }

    private var choices: Choices?
    private var boxes: [Kept] = []
    private var header: HeaderLine.Inputs?
    private var footer: FooterLine.Inputs?
    /// The last frame, without what is laid over it.
    private var last = Frame(ScreenSize(columns: 1, rows: 1))

    /// Returns the screen that shows a state.
    mutating func frame(_ state: MonitorState, _ view: MonitorView, size: ScreenSize) -> Frame {
        var frame: Frame
        if size.columns < 20 || size.rows < 4 {
            frame = Frame(size)
            OneLine(state, view).draw(on: &frame)
        } else if size.columns < 60 || size.rows < 16 {
            frame = Frame(size)
            OneColumn(state, view).draw(on: &frame)
        } else {
            paint(state, view, size)
            frame = last
        }
        if view.showsHelp { HelpBox(view).draw(on: &frame) }
        if view.glyphs == .ascii { frame.reduceToASCII() }
        return frame
    }

    private mutating func paint(_ state: MonitorState, _ view: MonitorView, _ size: ScreenSize) {
        let new = Choices(state, view, size)
        if new != choices {
            choices = new
            begin(state, view, size)
            (header, footer) = (nil, nil)
        }
        drawHeader(HeaderLine(state, view), size)
        drawFooter(FooterLine(state, view), size)
        for index in boxes.indices {
            let (box, content) = (boxes[index].box, boxes[index].content)
            let inputs = box.inputs(state, view, in: content)
            guard inputs == nil || inputs != boxes[index].inputs else { continue }
            boxes[index].inputs = inputs
            last.clear(content)
            box.init(state, view).draw(on: &last, in: content)
        }
    }

    /// Returns the rows within a box, or `nil` if it is not on the screen.
    func rows(of name: String) -> Int? { boxes.first { $0.box.name == name }?.content.rows }

    private mutating func drawHeader(_ line: HeaderLine, _ size: ScreenSize) {
        let area = Area(row: 0, of: size)
        let inputs = line.inputs
        // The time always takes the same columns.
        guard inputs != header else { return _ = line.drawTime(on: &last, in: area) }
        header = inputs
        last.clear(area)
        line.draw(on: &last, in: area)
    }

    private mutating func drawFooter(_ line: FooterLine, _ size: ScreenSize) {
        let inputs = line.inputs
        guard inputs != footer else { return }
        footer = inputs
        let area = Area(row: size.rows - 1, of: size)
        last.clear(area)
        line.draw(on: &last, in: area)
    }

    /// Begins a new screen: the lines and the titles.
    private mutating func begin(_ state: MonitorState, _ view: MonitorView, _ size: ScreenSize) {
        last = Frame(size)
        let layout = MonitorLayout(state, view, size: size)
        layout.lines.draw(on: &last, view.glyphs)
        boxes.removeAll(keepingCapacity: true)
        for (box, area) in layout.boxes {
            var content = area
            let title = content.takeTop(1)
            let name = ShortenedText.middle(box.title(state, view), to: max(0, title.columns - 3), view.glyphs.text)
            last.put(" \(name) ", title.column + 1, title.row, .title, in: title)
            if !content.isEmpty { boxes.append(Kept(box: box, content: content)) }
        }
    }
}
