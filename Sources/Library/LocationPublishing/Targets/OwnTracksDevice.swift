/// A device as OwnTracks names it: by its user and its own name.
package struct OwnTracksDevice: Hashable, Sendable {
    package let user: String
    /// The name of the device, which is unique for the user.
    package let device: String
    /// The topic of the device's positions, `owntracks/USER/DEVICE`.
    package let topic: MQTTTopic

    package init(user: String, device: String) throws(PublishError) {
        guard !user.isEmpty, !device.isEmpty else { throw .topic(.empty) }
        guard !user.utf8.contains(UInt8(ascii: "/")), !device.utf8.contains(UInt8(ascii: "/")) else {
            throw .topic(.slash)
        }
        topic = try MQTTTopic("owntracks/\(user)/\(device)")
        self.user = user
        self.device = device
    }

    /// The name that apps show on a map unless another one is given: the last two characters of the device's name.
    package var trackerID: String { String(device.suffix(2)) }

    var eventTopic: String { topic.name + "/event" }
}
