import LocationCore
import LocwatchPlatform
import LocwatchSupport

@testable import LocwatchTerminal

/// A terminal in memory, which shows what is written to it and sends the keys of a script.
final class FakeTerminal: ScreenTerminal, Sendable {
    struct Content: Sendable {
        var screen: TerminalModel
        /// The keys to send, each piece once the screen contains the text before it.
        var script: ArraySlice<(whenShown: String, keys: String)>
        var keys: [UInt8] = []
        /// Whether the terminal is prepared for whole screens, once it has been.
        var isEntered: Bool?
        /// The screens after each piece of output.
        var screens: [String] = []
    }

    private let content: Lock<Content>
    private let typed: Event
    let size: ScreenSize

    /// - Parameter keys: The keys; each piece is sent once the screen contains the text before it.
    init(columns: Int = 80, rows: Int = 24, keys: [(whenShown: String, keys: String)] = []) throws {
        size = ScreenSize(columns: columns, rows: rows)
        content = Lock(Content(screen: TerminalModel(columns: columns, rows: rows), script: keys[...]))
        typed = try Event()
    }

    var state: Content { content.withLock { $0 } }

    var descriptor: Int32 { typed.descriptor }
    var changeDescriptor: Int32 { -1 }
    func takeChanges() -> Bool { false }

    func enter() { content.withLock { $0.isEntered = true } }
    func leave() { content.withLock { $0.isEntered = false } }

    func read() -> [UInt8] {
        typed.clear()
        return content.withLock { content in
            defer { content.keys = [] }
            return content.keys
        }
    }

    func write(_ bytes: ArraySlice<UInt8>) -> Int {
        content.withLock { content in
            content.screen.write(bytes)
            let text = content.screen.text
            content.screens.append(text)
            guard let next = content.script.first, text.containsBytes(of: next.whenShown) else { return }
            content.script.removeFirst()
            content.keys += next.keys.utf8
            typed.happen()
        }
        return bytes.count
    }
}
