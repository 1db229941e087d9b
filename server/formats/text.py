"""Bytes of a result file to text. Formats name no reliable encoding, so the bytes decide."""

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE

from server.formats.errors import FileRefused


def decode(data: bytes) -> str:
    """The text of a file: by its byte order mark, else UTF-8 when that fits throughout, else Windows-1252.

    Five bytes mean nothing in Windows-1252; they become U+FFFD, so that one stray byte does not lose a file.
    Raises FileRefused only for UTF-16 that is cut off or broken.
    """
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return _utf16(data)
    data = data.removeprefix(BOM_UTF8)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _utf16(data: bytes) -> str:
    try:
        return data.decode("utf-16")
    except UnicodeDecodeError as error:
        readable = data[: error.start].decode("utf-16", errors="replace")
        raise FileRefused("begins like UTF-16, but is not", readable.count("\n") + 1) from error
