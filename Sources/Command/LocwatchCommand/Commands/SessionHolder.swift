import LocwatchArguments
import LocwatchSession

/// A command, or a part of one, that reads its arguments and its context from its session.
protocol SessionHolder {
    var session: CommandSession { get }
}

extension SessionHolder {
    var context: CommandContext { session.context }
    var settings: Settings { session.invocation.settings }
    var source: SourceWord { session.invocation.settings.source }
    var narrator: Narrator { session.context.narrator }
}

extension CommandSession {
    /// Returns the session with a duration as its only limit.
    func lasting(_ duration: Duration?) -> CommandSession {
        var session = self
        (session.settings.limits.duration, session.settings.limits.timeout) = (duration, nil)
        return session
    }
}
