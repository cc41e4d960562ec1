"""Puts text that is a command to a terminal, a spreadsheet or a browser into every string of a message, whatever the
message is: strings are told from messages by what they hold."""
import re

from .wire import read_varint, varint

# Clipboard (OSC 52), colour by C0 and C1, DEL, direction and line marks, markup.
EVIL = '\x1b]52;c;aGk=\x07\x1b[31m\x9b31m\x85\x7f\u202e\u2066\u2028\u2029\u200f\r\t</script><script>evil()</script>'
UNSAFE = re.compile('[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]')
KEYWORD = re.compile(rb'[a-z_]+')  # names of statistics and the like, which are looked up


def _parsed(data: bytes):
    """[(tag, bytes or None, raw)], or None where this is no message."""
    out, at = [], 0
    try:
        while at < len(data):
            start = at
            tag, at = read_varint(data, at)
            if tag >> 3 == 0 or tag >> 3 > 10000:
                return None
            kind = tag & 7
            if kind == 0:
                _, at = read_varint(data, at)
                out.append((tag, None, data[start:at]))
            elif kind in (1, 5):
                at += 8 if kind == 1 else 4
                out.append((tag, None, data[start:at]))
            elif kind == 2:
                size, at = read_varint(data, at)
                out.append((tag, data[at:at + size], None))
                at += size
            else:
                return None
            if at > len(data):
                return None
    except IndexError:
        return None
    return out


def _is_text(data: bytes) -> bool:
    return len(data) > 0 and all(32 <= byte < 127 for byte in data)


def poison(message: bytes, evil: str = EVIL, keep_keywords=True) -> bytes:
    """The message with `evil` behind every text in it."""
    out = b''
    for tag, content, raw in _parsed(message) or []:
        if content is None:
            out += raw
            continue
        if _is_text(content):
            if not (keep_keywords and KEYWORD.fullmatch(content)):
                content += evil.encode()
        elif _parsed(content) is not None:
            content = poison(content, evil, keep_keywords)
        out += varint(tag) + varint(len(content)) + content
    return out
