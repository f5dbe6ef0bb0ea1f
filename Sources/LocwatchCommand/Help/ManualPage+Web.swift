import LocwatchWeb

extension ManualPage {
    /// Appends the section about the web page.
    static func web(_ page: inout Roff) {
        page.section("WEB")
        page.text("locwatch web serves these paths:")
        page.term(Roff.bold("/"))
        page.text("The page.")
        for route in WebRoute.programs {
            page.term(Roff.bold(route.path))
            page.text(route.help.sentence)
        }
        page.paragraph()
        page.text(
            "A new reader of /events receives the state of the session first, with positions that are not current as lastKnown; "
                + "one that sends Last-Event-ID continues after that event. A slow reader misses events, and receives their number. The track of a long session has fewer "
                + "points before its last two hours; a fleet has no track. A page whose stream breaks says so, and connects again by itself."
        )
        page.paragraph()
        page.text(
            "A connection is closed after 30 seconds in which the client neither takes nor sends anything, and when a response "
                + "other than that of /events was not taken within 10 minutes. While responses that clients do not take have "
                + "all the memory for responses, 6 MB, or there are 1,024 readers of /events, a request gets status 503 with "
                + "Retry-After.")
        page.paragraph()
        page.text(
            "Without --listen only this machine can connect, but each of its users and programs can. A token has "
                + "\(AccessToken.shortest) to \(AccessToken.longest) letters, digits and -._~+/=. A browser takes it from the "
                + "part of the address after # and exchanges it for a cookie, which is valid for this port for a month and from which the token cannot be "
                + "computed; a program sends the header Authorization: Bearer TOKEN. A request must name the machine by its "
                + "address, by localhost or, with a token, by its host name, alone or with .local, or the name of --listen; any "
                + "other name, also with another domain, could be that of another site (DNS rebinding).")
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
                proxy_set_header X-Forwarded-Proto $scheme;
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
        page.text(
            "Both ask for the page by the address of locwatch, which is permitted, and say in X-Forwarded-Proto that the "
                + "connection is encrypted: the browser then sends the cookie over such connections only. The header of a "
                + "proxy on another machine is not believed.")
    }
}
