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
