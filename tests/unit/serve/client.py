"""A client of a server that says what came back, whatever it is."""

from __future__ import annotations

import contextlib
import http.client
import json
import urllib.parse
from dataclasses import dataclass
from typing import Any

JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        return str(self.json["error"])


@dataclass
class Client:
    """Asks the server of an address, with a connection for each request."""

    host: str
    port: int

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def ask(
        self, method: str, path: str, body: bytes | str | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """OSError or HTTPException where the server went away."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        with contextlib.closing(connection):
            connection.request(method, path, body.encode() if isinstance(body, str) else body, headers or {})
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())

    def get(self, path: str, headers: dict[str, str] | None = None, /, **query: str) -> Answer:
        asked = f"?{urllib.parse.urlencode(query)}" if query else ""
        return self.ask("GET", path + asked, headers=headers)

    def post(self, path: str, headers: dict[str, str] | None = None, /, **values: Any) -> Answer:
        return self.ask("POST", path, json.dumps(values), {**JSON, **(headers or {})})

    def form(self, path: str, **values: str) -> Answer:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.ask("POST", path, urllib.parse.urlencode(values), kind)

    def upload(self, path: str, name: str, content: bytes, **values: str) -> Answer:
        edge = "----edge"
        parts = [
            f'--{edge}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
            for key, value in values.items()
        ]
        head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
        body = b"".join([*parts, head, content, f"\r\n--{edge}--\r\n".encode()])
        return self.ask("POST", path, body, {"Content-Type": f"multipart/form-data; boundary={edge}"})

    def download(self, uploaded: Answer) -> Answer:
        """The file that an upload's answer names."""
        return self.get("/" + str(uploaded.json["translatedFileUrl"]).split("/", 3)[3])


def client_at(url: str) -> Client:
    parts = urllib.parse.urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    return Client(parts.hostname, parts.port)
