"""Non-blocking connections to brokers, and the loop that serves thousands of them."""
import errno
import select
import socket
import struct

import mqtt

# More than this is not queued in front of the system's own buffer.
CONGESTED = 1 << 16


class Connection:
    """A connection that begins with the packet of a client. It ends with a reset, as that of a killed program can."""

    def __init__(self, address, hello):
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.unsent, self.unread = bytearray(hello), bytearray()
        self.has_failed = self.socket.connect_ex(address) not in (0, errno.EINPROGRESS)

    @property
    def is_congested(self):
        return len(self.unsent) > CONGESTED

    def send(self, data):
        if self.unsent:
            self.unsent += data
            return self.flush()
        # Nearly always the system takes everything at once.
        self.unsent += data[self.attempt(self.socket.send, data) or 0:]

    def flush(self):
        """Sends what the system takes."""
        if self.unsent:
            del self.unsent[:self.attempt(self.socket.send, self.unsent) or 0]

    def receive(self):
        """Returns the packets that have come."""
        while data := self.attempt(self.socket.recv, 1 << 16):
            self.unread += data
            if len(data) < 1 << 16:
                break
        self.has_failed |= data == b""
        return mqtt.packets(self.unread)

    def attempt(self, call, argument):
        try:
            return call(argument)
        except BlockingIOError:
            return None
        except OSError as error:
            # A connection that is not established yet is not ready either.
            self.has_failed |= error.errno != errno.ENOTCONN
            return None


class Loop:
    """The owners of connections, each of which is served when its connection is ready."""

    def __init__(self):
        self.poller = select.epoll()
        self.owners = {}

    def add(self, connection, owner):
        descriptor = connection.socket.fileno()
        self.owners[descriptor] = owner
        # An edge comes whenever there is more to read or room to write, so that the registration never changes.
        self.poller.register(descriptor, select.EPOLLIN | select.EPOLLOUT | select.EPOLLRDHUP | select.EPOLLET)

    def remove(self, connection):
        del self.owners[connection.socket.fileno()]
        connection.socket.close()

    def step(self, seconds):
        """Serves the owners that are ready, or waits for one."""
        for descriptor, _ in self.poller.poll(seconds, 512):
            # One before it in the list may have ended it.
            if owner := self.owners.get(descriptor):
                owner.serve()
