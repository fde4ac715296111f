"""A server of the files of a folder for tests: ``/<way>/<name>``, in the frame of the test servers."""

from __future__ import annotations

import gzip
import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from servers import frame

TYPES = {".json": "application/json", ".csv": "text/csv", ".jsonl": "application/jsonl"}


class Server(frame.Server):
    def put(self, name: str, content: bytes) -> bytes:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return content

    def url(self, way: str, name: str) -> str:
        return self.at(f"{way}/{name}")


@contextmanager
def serve(folder: Path) -> Iterator[Server]:
    """Run a server until the block ends."""
    with frame.run_server("files", folder) as port:
        yield Server(folder, port)


class Handler(frame.Handler):
    long_wait = "7"
    name: str

    def prepare(self, rest: str) -> None:
        self.name = rest

    def fail(self, status: int, headers: dict[str, str]) -> None:
        self.begin(status, {"Content-Type": "text/plain", "Content-Length": "4", **headers})
        self.wfile.write(b"sad\n")

    def give(self, stop: int | None = None, *, tag: bool = True, length: bool = True, **headers: str) -> bytes:
        """Answer with a file or the part asked for; up to the byte `stop` of it, and give back the rest."""
        body = self.read()
        etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        kind = TYPES.get(Path(self.name).suffix, "application/octet-stream")
        said = {"Content-Type": kind, **({"ETag": etag} if tag else {})}
        said |= {key.replace("_", "-"): value for key, value in headers.items()}
        start, asked = 0, self.headers.get("Range")
        if asked and tag and self.headers.get("If-Range") == etag:
            start = int(asked.removeprefix("bytes=").removesuffix("-"))
            said["Content-Range"] = f"bytes {start}-{len(body) - 1}/{len(body)}"
        if length:
            said["Content-Length"] = str(len(body) - start)
        self.begin(206 if start else 200, said)
        self.wfile.write(body[start:stop])
        return body[max(start, stop or len(body)) :]

    def read(self) -> bytes:
        return (self.folder / self.name).read_bytes()

    def way_plain(self) -> None:
        self.give()

    def way_tagless(self) -> None:
        self.give(tag=False)

    def way_slow(self) -> None:
        """Little by little, whole in the end."""
        rest = self.give(stop=1)
        for place in range(0, len(rest), -(-len(rest) // 20)):
            self.wfile.write(rest[place : place + -(-len(rest) // 20)])
            time.sleep(0.01)

    def way_drip(self) -> None:
        """A byte now and then, so that it is never silent, and never done."""
        self.give(stop=1)
        while not self.gone(0.02):
            self.wfile.write(b" ")

    def way_drip_headers(self) -> None:
        """A header that never ends."""
        self.wfile.write(f"HTTP/1.1 200 OK\r\nX-{self.name}: ".encode())
        while not self.gone(0.02):
            self.wfile.write(b"x")

    def way_stall(self) -> None:
        self.give(stop=len(self.read()) // 2)
        self.gone(None)
        self.close_connection = True

    def way_hold(self) -> None:
        """Half of it, and the rest once there is a file `go`."""
        rest = self.give(stop=len(self.read()) // 2)
        while not (self.folder / "go").exists():
            if self.gone(0.02):
                return
        self.wfile.write(rest)

    def way_cut(self) -> None:
        """Half of it the first time; then as it should be."""
        if self.time > 1:
            self.give()
            return
        self.give(stop=len(self.read()) // 2)
        self.close_connection = True

    def way_cut_tagless(self) -> None:
        if self.time > 1:
            self.give(tag=False)
            return
        self.give(stop=len(self.read()) // 2, tag=False)
        self.close_connection = True

    def way_cut_always(self) -> None:
        """Never more than half of it, and no part either."""
        self.give(stop=len(self.read()) // 2, tag=False)
        self.close_connection = True

    def way_short(self) -> None:
        """Half of it, without a length by which one could tell."""
        self.give(stop=len(self.read()) // 2, length=False, Connection="close")
        self.close_connection = True

    def way_liar(self) -> None:
        """A part that does not begin where it was asked to."""
        if self.headers.get("Range"):
            self.begin(206, {"Content-Range": "bytes 1-3/4", "Content-Length": "3", "Content-Type": "text/csv"})
            self.wfile.write(b"xyz")
        else:
            self.way_cut()

    def way_gone_range(self) -> None:
        """No parts after all."""
        if self.headers.get("Range"):
            self.fail(416, {})
        else:
            self.way_cut()

    def way_html(self) -> None:
        self.give(Content_Type="text/html; charset=utf-8")

    def way_gzip(self) -> None:
        body = gzip.compress(self.read())
        kind = TYPES.get(Path(self.name).suffix, "application/octet-stream")
        self.begin(200, {"Content-Type": kind, "Content-Encoding": "gzip", "Content-Length": str(len(body))})
        self.wfile.write(body)

    def way_as_gzip(self) -> None:
        self.give(Content_Encoding="gzip")

    def way_brotli(self) -> None:
        self.give(Content_Encoding="br")

    def way_to(self) -> None:
        """/to/<port>/<way>/<name> leads there; port 0 stands for this server."""
        port, _, rest = self.name.partition("/")
        place = f"/{rest}" if port == "0" else f"http://127.0.0.1:{port}/{rest}"
        self.begin(302, {"Location": place, "Content-Length": "0"})

    def way_loop(self) -> None:
        self.begin(302, {"Location": f"/loop/{self.name}", "Content-Length": "0"})


if __name__ == "__main__":
    frame.listen(Handler)
