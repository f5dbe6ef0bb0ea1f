import CLocwatchPlatform
import Glibc

/// The mode of a terminal for a program that draws whole screens: an alternate screen, without echo and lines.
///
/// The terminal is restored however the program ends, except by SIGKILL, and while it is suspended. A process has one
/// such terminal at a time.
package final class ScreenMode {
    /// An event that happens when there are changes.
    package let changed: Event
    private var isEntered = true

    /// Enters the mode of a terminal that stays open as long as the program runs; `enter` is also written after a
    /// suspension, and `leave` before one.
    package init(_ descriptor: Int32, enter: StaticString, leave: StaticString) throws(SystemFailure) {
        changed = try Event()
        let failure = enter.withUTF8Buffer { enter in
            leave.withUTF8Buffer { leave in
                // A static string ends with a null byte and lives as long as the program.
                UnsafeRawPointer(enter.baseAddress).flatMap { enter in
                    UnsafeRawPointer(leave.baseAddress).map { leave in
                        locwatch_enter_screen(
                            descriptor, changed.descriptor, enter.assumingMemoryBound(to: CChar.self),
                            leave.assumingMemoryBound(to: CChar.self))
                    }
                } ?? EINVAL
            }
        }
        guard failure == 0 else { throw SystemFailure("use the terminal", code: failure) }
    }

    deinit { leave() }

    package func leave() {
        guard isEntered else { return }
        isEntered = false
        locwatch_leave_screen()
    }

    /// Returns whether the terminal was resized, or the program was suspended, since the last call, and resets the event.
    package func takeChanges() -> Bool {
        changed.clear()
        return locwatch_take_screen_changes() != 0
    }
}
