#!/usr/bin/python3
"""A strict parser of InfluxDB's line protocol, written by its specification and by nothing else.

    measurement[,tag_key=tag_value...] field_key=field_value[,field_key=field_value...] [timestamp]

Usage: influx_lines.py < LINES prints a JSON object per line. It ends with an error for what a database could refuse or take for
something else: an empty tag, tags or fields that are repeated, tags out of order, a line without a field, a number that is neither a
float nor an integer of 64 bits, a string that is not closed, and a line without a time or a line break.
"""
import json
import re
import sys

FLOAT = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
INTEGER = re.compile(r"([+-]?\d+)i")
BOOLEANS = {**dict.fromkeys(["t", "T", "true", "True", "TRUE"], True),
            **dict.fromkeys(["f", "F", "false", "False", "FALSE"], False)}


class Line:
    def __init__(self, text):
        self.text, self.place = text, 0

    def fail(self, reason):
        raise ValueError(f"{reason} at {self.place}: {self.text!r}")

    def at(self, characters):
        return self.place < len(self.text) and self.text[self.place] in characters

    def skip(self, character):
        if not self.at(character):
            self.fail(f"no {character!r}")
        self.place += 1

    def name(self, ends, escapes):
        """Reads up to an end that is not escaped; a backslash before anything else is a backslash."""
        out = ""
        while self.place < len(self.text) and not self.at(ends):
            character = self.text[self.place]
            if character == "\\" and self.place + 1 < len(self.text) and self.text[self.place + 1] in escapes:
                self.place += 1
                character = self.text[self.place]
            out += character
            self.place += 1
        if not out:
            self.fail("an empty name or value")
        return out

    def string(self):
        self.skip('"')
        out = ""
        while not self.at('"'):
            if self.place >= len(self.text):
                self.fail("a string that is not closed")
            if self.at("\\") and self.text[self.place + 1:self.place + 2] in ('"', "\\"):
                self.place += 1
            out += self.text[self.place]
            self.place += 1
        self.place += 1
        return out

    def value(self):
        if self.at('"'):
            return self.string()
        start = self.place
        while self.place < len(self.text) and not self.at(", "):
            self.place += 1
        word = self.text[start:self.place]
        if word in BOOLEANS:
            return BOOLEANS[word]
        if match := INTEGER.fullmatch(word):
            number = int(match[1])
            if not -2**63 <= number < 2**63:
                self.fail("an integer of more than 64 bits")
            return number
        if not FLOAT.fullmatch(word):
            self.fail(f"{word!r} is not a value")
        return float(word)

    def parse(self):
        point = {"measurement": self.name(", ", ", "), "tags": {}, "fields": {}}
        while self.at(","):
            self.skip(",")
            key = self.name("=", ",= ")
            self.skip("=")
            value = self.name(", ", ",= ")
            if value.endswith("\\"):
                self.fail("a backslash at the end of a tag")
            if key in point["tags"]:
                self.fail("a repeated tag")
            point["tags"][key] = value
        if list(point["tags"]) != sorted(point["tags"]):
            self.fail("tags that are not sorted")
        self.skip(" ")
        while True:
            key = self.name("=", ",= ")
            self.skip("=")
            if key in point["fields"]:
                self.fail("a repeated field")
            point["fields"][key] = self.value()
            if not self.at(","):
                break
            self.skip(",")
        self.skip(" ")
        time = self.text[self.place:]
        if not re.fullmatch(r"-?\d+", time) or not -2**63 <= int(time) < 2**63:
            self.fail("no time in nanoseconds")
        point["time"] = int(time)
        return point


def points(text):
    if text and not text.endswith("\n"):
        raise ValueError("the last line has no line break")
    return [Line(line).parse() for line in text.split("\n")[:-1]]


if __name__ == "__main__":
    for one in points(sys.stdin.buffer.read().decode()):
        print(json.dumps(one))
