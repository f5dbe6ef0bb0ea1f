import LocationCore

extension TextBuffer {
    /// Appends the facts about a session that the page needs, as JSON.
    mutating func putFacts(_ source: SourceWord, _ settings: Settings) {
        put("{\"version\":")
        put(jsonString: Version.number)
        member("source", source.description)
        member("place", source.place)
        member("isFleet", source.isFleet)
        member("isLive", source.isLive)
        member("tiles", settings.tiles?.text)
        put(",\"links\":[")
        let links = WebRoute.all.filter { $0.link != nil && !($0.isTrack && source.isFleet) }
        for (place, route) in links.enumerated() {
            put(place == 0 ? "{\"path\":" : ",{\"path\":")
            put(jsonString: String(route.path.dropFirst()))
            member("name", route.link)
            put("}")
        }
        put("],\"fences\":[")
        for (place, fence) in settings.fences.enumerated() {
            put(place == 0 ? "{\"name\":" : ",{\"name\":")
            put(jsonString: fence.name)
            switch fence.shape {
            case .circle(let center, let radius):
                member("lat", center.latitude, .decimals(7))
                member("lon", center.longitude, .decimals(7))
                member("radius", radius)
            case .polygon(let vertices):
                put(",\"points\":[")
                for (place, vertex) in vertices.enumerated() {
                    put(place == 0 ? "[" : ",[")
                    put(trimmed: vertex.latitude, decimals: 7)
                    put(",")
                    put(trimmed: vertex.longitude, decimals: 7)
                    put("]")
                }
                put("]")
            }
            put("}")
        }
        put("]}\n")
    }
}
