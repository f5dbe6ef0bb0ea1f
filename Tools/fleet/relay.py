"""A relay in front of a broker whose network can be cut."""
import contextlib
import selectors
import socket
import struct
import threading


class Relay:
    def __init__(self, port):
        self.target = port
        self.listener = None
        self.port = 0
        self.selector = selectors.DefaultSelector()
        self.peers = {}
        self.pending = {}
        self.wanted = True
        self.is_over = False
        self.open()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    @property
    def word(self):
        return f"mqtt://127.0.0.1:{self.port}"

    def cut(self):
        """Resets every connection and refuses new ones."""
        self.wanted = False

    def mend(self):
        self.wanted = True

    def stop(self):
        self.is_over = True
        self.thread.join(timeout=10)

    def open(self):
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", self.port))
        self.listener.listen(4096)
        self.listener.setblocking(False)
        self.port = self.listener.getsockname()[1]
        self.selector.register(self.listener, selectors.EVENT_READ)

    def run(self):
        while not self.is_over:
            if not self.wanted and self.listener:
                self.selector.unregister(self.listener)
                self.listener.close()
                self.listener = None
                for one in list(self.peers):
                    self.end(one)
            if self.wanted and not self.listener:
                self.open()
            for key, events in self.selector.select(timeout=0.05):
                if key.fileobj is self.listener:
                    self.accept()
                else:
                    self.move(key.fileobj, events)

    def accept(self):
        with contextlib.suppress(BlockingIOError):
            while True:
                near, _ = self.listener.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self.target))
                except OSError:
                    near.close()
                    continue
                for one, other in ((near, far), (far, near)):
                    one.setblocking(False)
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    self.peers[one] = other
                    self.pending[one] = b""
                    self.selector.register(one, selectors.EVENT_READ)

    def move(self, one, events):
        if one not in self.peers:
            return
        try:
            if events & selectors.EVENT_WRITE:
                self.write(one, b"")
            if events & selectors.EVENT_READ:
                data = one.recv(65536)
                if not data:
                    return self.end(one)
                self.write(self.peers[one], data)
        except BlockingIOError:
            pass
        except OSError:
            self.end(one)

    def write(self, one, data):
        data = self.pending[one] + data
        count = 0
        with contextlib.suppress(BlockingIOError):
            count = one.send(data) if data else 0
        self.pending[one] = data[count:]
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if self.pending[one] else 0)
        self.selector.modify(one, events)

    def end(self, one):
        for each in (one, self.peers.get(one)):
            if each in self.peers:
                self.selector.unregister(each)
                del self.peers[each], self.pending[each]
                each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                each.close()
