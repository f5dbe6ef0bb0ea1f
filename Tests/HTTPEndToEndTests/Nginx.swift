import Foundation
import Glibc
import LocationPublishing
import LocwatchPlatform
import TestSupport

/// An nginx on free ports of this machine, with and without TLS, ended with the value.
final class Nginx: Sendable {
    let port: UInt16
    let securePort: UInt16
    private let folder: Scratch
    private let child: ChildProcess

    init(_ certificate: Certificate) throws {
        try requireProgram("/usr/sbin/nginx", package: "nginx-light")
        folder = try Scratch()
        port = try LoopbackPort.free()
        securePort = try LoopbackPort.free()
        try folder.write(Self.page, to: "page.txt")
        try folder.write(Self.configuration(port, securePort, certificate), to: "nginx.conf")
        let log = open(folder.path("errors"), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        defer { close(log) }
        child = try ChildProcess(
            path: "/usr/sbin/nginx", arguments: ["-p", folder.url.path, "-c", "nginx.conf"], environment: [:],
            error: log)
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            if let connection = try? LoopbackPort.connect(to: securePort) {
                close(connection)
                return
            }
            guard child.endingIfAny == nil, .now < deadline else { break }
            usleep(10_000)
        }
        let reason = (try? folder.text("errors")) ?? ""
        throw ProgramFailure(description: "nginx does not run: \(reason)")
    }

    func url(_ path: String, _ scheme: HTTPURL.Scheme = .http) throws -> HTTPURL {
        try HTTPURL("\(scheme)://127.0.0.1:\(scheme == .http ? port : securePort)\(path)")
    }

    /// The numbers of the connections of all requests so far.
    var connections: Set<String> {
        get throws {
            Set(try folder.text("access").split(separator: "\n").map(String.init))
        }
    }

    static let page = String(repeating: "a page of text\n", count: 2000)

    private static func configuration(_ port: UInt16, _ securePort: UInt16, _ certificate: Certificate) -> String {
        // Started as root, its workers would be another user, who must not look into the folder.
        """
        \(geteuid() == 0 ? "user root;" : "")
        daemon off;
        pid pid;
        error_log errors;
        worker_processes 2;
        events { worker_connections 1024; }
        http {
            log_format connection $connection;
            access_log access connection;
            client_body_temp_path body;
            proxy_temp_path proxy;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            keepalive_requests 1000000;
            client_max_body_size 100k;
            gzip on;
            gzip_types text/plain;
            types { text/plain txt; }
            server {
                listen 127.0.0.1:\(port);
                listen 127.0.0.1:\(securePort) ssl;
                ssl_certificate \(certificate.file);
                ssl_certificate_key \(certificate.key);
                root .;
                location = /pub { return 200 '[]'; }
                location = /204 { return 204; }
                location = /401 { return 401; }
                location = /429 { return 429; }
                location = /503 { return 503; }
                location = /closed { return 444; }
                location = /moved { return 301 /page.txt; }
                location = /kept { return 308 /pub; }
                location = /unsafe { return 302 http://127.0.0.1:\(port)/page.txt; }
            }
        }
        """
    }
}
