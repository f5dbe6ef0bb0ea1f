package import LocationCore
import LocwatchSupport

extension [LocationUpdate] {
    /// The updates as a session that makes epochs emits them: positions with the satellites that belong to them.
    package var withSkies: [LocationUpdate] {
        var skies = PerDevice<SkyMemory>()
        return map { skies.joined($0) }
    }
}

extension [TrackedUpdate] {
    /// The same updates, whose positions have the satellites that belong to them.
    package var withSkies: [TrackedUpdate] {
        var skies = PerDevice<SkyMemory>()
        return map { update in
            guard case .update(let source, let standing) = update else { return update }
            return .update(skies.joined(source), standing)
        }
    }
}
