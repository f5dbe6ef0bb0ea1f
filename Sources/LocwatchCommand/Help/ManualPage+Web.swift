import LocationCore

extension ManualPage {
    /// The paths that `locwatch web` serves, each with its purpose.
    private static let paths: [(String, String)] = [
        ("/", "The page."),
        (
            "/events",
            "The session as Server-Sent Events: the JSON of watch -j --sky --all-devices. A new reader is first told what it "
                + "needs to know; one that sends Last-Event-ID continues where it was. A slow reader misses events and is "
                + "told how many."
        ),
        ("/location", "The newest position as JSON; without a current one, status 503 and the state with its reason."),
        (
            "/track.geojson, /track.gpx",
            "The track of the session. Of a long one, the points before the last two hours become fewer. A fleet has none."
        ),
        ("/metrics", "The metrics in Prometheus' text format, as --metrics-file writes them."),
        ("/healthz", "Status 200 while the program runs, also without a token."),
    ]

    /// Appends the section about the web page.
    static func web(_ page: inout Roff) {
        page.section("WEB")
        page.text("locwatch web serves these paths:")
        for (path, meaning) in paths {
            page.term(Roff.bold(path))
            page.text(meaning)
        }
        page.paragraph()
        page.text(
            "Without --listen only this machine can connect, but each of its users and programs can. A token has "
                + "\(AccessToken.shortest) to \(AccessToken.longest) letters, digits and -._~+/=. A browser takes it from the "
                + "part of the address after # and keeps it in a cookie; a program sends the header Authorization: Bearer "
                + "TOKEN. A request must name the machine by its address, by localhost or, with a token, by its host name; any "
                + "other name could be that of another site (DNS rebinding).")
        page.paragraph()
        page.text(
            "Connections are not encrypted. For other networks, put a reverse proxy with TLS in front. It must pass on events "
                + "at once; for nginx:")
        page.example(
            """
            location / {
                proxy_pass http://127.0.0.1:8080;
                proxy_http_version 1.1;
                proxy_set_header Connection "";
                proxy_read_timeout 1h;
            }
            """)
        page.text("and for Caddy:")
        page.example(
            """
            reverse_proxy 127.0.0.1:8080 {
                header_up Host {upstream_hostport}
            }
            """)
        page.text("Both ask for the page by the address of locwatch, which is permitted.")
    }
}
