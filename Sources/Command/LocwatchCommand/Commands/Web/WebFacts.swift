import LocationCore
import LocwatchArguments
import LocwatchTerminal

extension TextBuffer {
    /// Appends the facts about a session that the page needs, as JSON.
    mutating func putFacts(_ source: SourceWord, _ settings: Settings, _ tiles: PageTiles? = nil) {
        object { facts in
            facts.member("version", Version.number)
            facts.member("source", source.description)
            facts.member("place", source.place)
            let isFleet = source.isFleet
            facts.member("isFleet", isFleet)
            facts.member("isLive", source.isLive)
            facts.member("units", settings.output.units.rawValue)
            facts.member("tiles", tiles)
            let links = WebRoute.all.filter { $0.link != nil && !($0.isTrack && isFleet) }
            facts.list("links", links) { link, route in
                link.member("path", String(route.path.dropFirst()))
                link.member("name", route.link)
            }
            // The page draws no anchor, whose place is not known yet.
            let fences = settings.fences.filter { if case .anchor = $0.shape { false } else { true } }
            facts.list("fences", fences) { out, fence in
                out.member("name", fence.name)
                switch fence.shape {
                case .circle(let center, let radius):
                    out.member("lat", center.latitude, decimals: 7)
                    out.member("lon", center.longitude, decimals: 7)
                    out.member("radius", radius)
                case .polygon(let vertices):
                    out.put(key: "points")
                    out.list(vertices) { points, vertex in
                        points.list([vertex.latitude, vertex.longitude]) { $0.put(trimmed: $1, decimals: 7) }
                    }
                case .anchor: break
                }
            }
        }
        put("\n")
    }
}
