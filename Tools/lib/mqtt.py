"""The packets of MQTT 3.1.1 that simulated devices and their consumers exchange with a broker."""
import struct

CONNECTED, MESSAGE, ACKNOWLEDGED, SUBSCRIBED = 0x20, 0x30, 0x40, 0x90


def packet(kind, *parts):
    body = b"".join(parts)
    length, rest = b"", len(body)
    while rest > 127:
        length, rest = length + bytes([rest & 127 | 128]), rest >> 7
    return bytes([kind]) + length + bytes([rest]) + body


def text(value):
    return struct.pack(">H", len(value)) + value


def connect(name, is_clean=True):
    """Returns the first packet of a client, which sends no signs of life."""
    return packet(0x10, text(b"MQTT"), b"\4", b"\2" if is_clean else b"\0", b"\0\0", text(name))


def publish(topic, payload, number=None, is_retained=False):
    """Returns a message, which the broker acknowledges if it has a number."""
    if number is None:
        return packet(0x30 | is_retained, text(topic), payload)
    return packet(0x32 | is_retained, text(topic), struct.pack(">H", number), payload)


def acknowledge(number):
    return struct.pack(">BBH", ACKNOWLEDGED, 2, number)


def subscribe(topics, quality):
    return packet(0x82, b"\0\1", text(topics), bytes([quality]))


def packets(received):
    """Removes the whole packets from the received bytes; returns each as its first byte and its content."""
    found, start = [], 0
    while True:
        size = shift = 0
        for index in range(start + 1, min(start + 5, len(received))):
            size |= (received[index] & 127) << shift
            shift += 7
            if received[index] < 128:
                break
        else:
            break
        end = index + 1 + size
        if end > len(received):
            break
        found.append((received[start], bytes(received[index + 1:end])))
        start = end
    del received[:start]
    return found


def content(kind, body):
    """Returns the topic, the payload, and the number, if any, of a message."""
    end = 2 + int.from_bytes(body[:2])
    if kind & 6:
        return body[2:end], body[end + 2:], int.from_bytes(body[end:end + 2])
    return body[2:end], body[end:], None
