import LocationCore
import LocwatchPlatform
import LocwatchSupport

@testable import LocwatchTerminal

/// A terminal in memory, which shows what is written to it and sends the keys of a script.
final class FakeTerminal: ScreenTerminal, Sendable {
    struct Content: Sendable {
        var screen: TerminalModel
        var keys: [[UInt8]]
        var written = 0
        var isEntered = false
        var entries = 0
        /// Whether the terminal takes no output, as after XOFF.
        var isStopped = false
        /// The screens after each piece of output.
        var screens: [String] = []
    }

    private let content: Lock<Content>
    private let typed: Event
    let size: ScreenSize

    /// - Parameter keys: The keys; each piece is sent once the screen contains the text before it.
    init(columns: Int = 80, rows: Int = 24, keys: [(whenShown: String, keys: String)] = []) throws {
        size = ScreenSize(columns: columns, rows: rows)
        content = Lock(Content(screen: TerminalModel(columns: columns, rows: rows), keys: []))
        typed = try Event()
        script = Lock(keys.map { (Array($0.whenShown.utf8), Array($0.keys.utf8)) }[...])
    }

    private let script: Lock<ArraySlice<(whenShown: [UInt8], keys: [UInt8])>>

    var state: Content { content.withLock { $0 } }

    var descriptor: Int32 { typed.descriptor }
    var changeDescriptor: Int32 { -1 }
    func takeChanges() -> Bool { false }

    func enter() {
        content.withLock {
            $0.isEntered = true
            $0.entries += 1
        }
    }

    func leave() { content.withLock { $0.isEntered = false } }

    func read() -> [UInt8] {
        typed.clear()
        return content.withLock { content in
            defer { content.keys = [] }
            return content.keys.flatMap(\.self)
        }
    }

    func write(_ bytes: ArraySlice<UInt8>) -> Int {
        let text: String? = content.withLock { content in
            guard !content.isStopped else { return nil }
            content.screen.write(bytes)
            content.written += bytes.count
            content.screens.append(content.screen.text)
            return content.screen.text
        }
        guard let text else { return 0 }
        let next: [UInt8]? = script.withLock { script in
            guard let first = script.first, text.containsBytes(of: String(decoding: first.whenShown, as: UTF8.self))
            else { return nil }
            script.removeFirst()
            return first.keys
        }
        if let next {
            content.withLock { $0.keys.append(next) }
            typed.happen()
        }
        return bytes.count
    }
}
