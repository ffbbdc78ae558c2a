"""The page's own files, read and compressed once at the start: no request of a browser waits for the disk."""

import gzip
import mimetypes
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from fastapi import HTTPException, Request
from fastapi.responses import Response

PACKED = {".css", ".js", ".svg", ".txt"}
"""Fonts and pictures are compressed by themselves."""


class _Asset(NamedTuple):
    kind: str
    body: bytes
    tag: str


class Assets:
    """The files of a folder by their paths, each as it is and, where that is shorter, compressed."""

    def __init__(self, folder: Path) -> None:
        self._plain: dict[str, _Asset] = {}
        self._packed: dict[str, _Asset] = {}
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                self._add(path.relative_to(folder).as_posix(), path)

    def _add(self, name: str, path: Path) -> None:
        body = path.read_bytes()
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        tag = sha256(body).hexdigest()[:32]
        self._plain[name] = _Asset(kind, body, f'"{tag}"')
        if path.suffix in PACKED and len(packed := gzip.compress(body, mtime=0)) < len(body):
            self._packed[name] = _Asset(kind, packed, f'"{tag}-gzip"')

    async def answer(self, request: Request, name: str) -> Response:
        if name not in self._plain:
            raise HTTPException(404, "There is no such file.")
        packed = self._packed.get(name) if "gzip" in request.headers.get("accept-encoding", "") else None
        asset = packed or self._plain[name]
        headers = {"etag": asset.tag, "vary": "Accept-Encoding"}
        if packed is not None:
            headers["content-encoding"] = "gzip"
        if asset.tag in request.headers.get("if-none-match", ""):
            return Response(None, 304, {"etag": asset.tag, "vary": "Accept-Encoding"})
        return Response(asset.body, 200, headers, asset.kind)
