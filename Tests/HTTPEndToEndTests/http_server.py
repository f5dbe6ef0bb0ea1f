"""An HTTP server for tests: prints its port, and answers each path in one way, wrong ones included.

Usage: http_server.py [CERTIFICATE KEY [CLIENT_AUTHORITY]]     with a certificate it speaks TLS
It ends when its standard input does.
"""
import gzip
import http.server
import socket
import ssl
import sys
import threading
import time
import urllib.parse
import zlib

BOMB = 50_000_000


def bomb():
    """Zeros, of which gzip leaves a thousandth."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    parts = [packer.compress(bytes(1_000_000)) for _ in range(BOMB // 1_000_000)]
    return b"".join(parts) + packer.flush()


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True
    connections = 0
    # Requests whose client went away before the answer was complete.
    abandoned = 0
    # Requests for anything but a count.
    requests = 0
    # Bytes of extensions of chunks.
    flooded = 0
    context = None

    def get_request(self):
        connection, address = super().get_request()
        self.connections += 1
        if self.context:
            # The handshake is the thread's of the connection.
            connection = self.context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        return connection, address

    def handle_error(self, request, client_address):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def log_message(self, *_):
        pass

    def answer(self, status=200, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if "Transfer_Encoding" not in headers and "Content_Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        self.wfile.flush()

    def raw(self, data, close=True):
        self.wfile.write(data)
        self.wfile.flush()
        self.close_connection = close

    def chunk(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def serve(self):
        url = urllib.parse.urlsplit(self.path)
        self.server.requests += not url.path.startswith("/count/")
        query = dict(urllib.parse.parse_qsl(url.query))
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        name, _, argument = url.path.lstrip("/").partition("/")
        getattr(self, "path_" + name.replace("-", "_"), self.path_unknown)(argument, query, body)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = serve

    def path_unknown(self, argument, query, body):
        self.answer(404)

    def path_ok(self, argument, query, body):
        self.answer(200, b"ok", Content_Type="text/plain")

    def path_echo(self, argument, query, body):
        """The request as it came."""
        self.answer(200, self.requestline.encode() + b"\n" + str(self.headers).rstrip("\n").encode() + b"\n\n" + body)

    def path_count(self, argument, query, body):
        self.answer(200, str(getattr(self.server, argument)).encode())

    def path_chunked(self, argument, query, body):
        self.answer(200, Transfer_Encoding="chunked")
        for part in (b"one ", b"two ", b"three"):
            self.chunk(part)
        self.raw(b"0\r\nX-Late: trailer\r\n\r\n", close=False)

    def path_endless(self, argument, query, body):
        self.answer(200, Transfer_Encoding="chunked")
        while True:
            self.chunk(bytes(10_000))

    def path_extension(self, argument, query, body):
        """A chunk whose extension does not end."""
        self.raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;", close=False)
        while True:
            self.wfile.write(b"x" * 65_536)
            self.server.flooded += 65_536

    def path_slow(self, argument, query, body):
        self.answer(200, Content_Length="1000000")
        try:
            while True:
                self.raw(b".")
                time.sleep(0.05)
        except OSError:
            self.server.abandoned += 1

    def path_cut_chunk(self, argument, query, body):
        self.raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nbeginning")

    def path_reset(self, argument, query, body):
        self.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbeginning")
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.connection.close()

    def path_redirect(self, argument, query, body):
        """As in /redirect/302?to=/ok."""
        self.answer(int(argument), b"moved", Location=query["to"])

    def path_gzip(self, argument, query, body):
        accepts = "gzip" in self.headers.get("Accept-Encoding", "")
        self.answer(200, gzip.compress(b"compressed " * 1000), Content_Encoding="gzip") if accepts else self.answer(406)

    def path_broken_gzip(self, argument, query, body):
        self.answer(200, b"this is not gzip", Content_Encoding="gzip")

    def path_bomb(self, argument, query, body):
        self.answer(200, bomb(), Content_Encoding="gzip")


server = Server(("127.0.0.1", 0), Handler)
if len(sys.argv) > 2:
    server.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.context.load_cert_chain(sys.argv[1], sys.argv[2])
    if len(sys.argv) > 3:
        server.context.load_verify_locations(sys.argv[3])
        server.context.verify_mode = ssl.CERT_REQUIRED
print(server.server_port, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
