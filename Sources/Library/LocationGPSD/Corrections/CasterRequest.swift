import LocationCore

/// The requests to a caster, in the first version of its protocol, which every caster speaks.
enum CasterRequest {
    static func table(of address: StreamAddress) -> [UInt8] { request("/", address, login: nil) }

    static func corrections(of address: StreamAddress, password: String?) -> [UInt8] {
        request("/" + (address.mountpoint ?? ""), address, login: address.user.map { "\($0):\(password ?? "")" })
    }

    private static func request(_ path: String, _ address: StreamAddress, login: String?) -> [UInt8] {
        let authorization = login.map { "Authorization: Basic \(Base64.encode(Array($0.utf8)))\r\n" } ?? ""
        return Array(
            ("GET \(path) HTTP/1.0\r\nHost: \(address.place)\r\nUser-Agent: NTRIP locwatch\r\nAccept: */*\r\n"
                + authorization + "Connection: close\r\n\r\n").utf8)
    }
}
