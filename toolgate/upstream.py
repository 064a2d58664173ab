"""Where a model lives: the only HTTP client, its connections, its key, and what its failures mean."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from requests import ConnectionError as RequestsConnectionError
from requests import ConnectTimeout, PreparedRequest, ReadTimeout, RequestException, Response
from requests.adapters import BaseAdapter, HTTPAdapter
from requests.structures import CaseInsensitiveDict
from urllib3.exceptions import HTTPError, MaxRetryError, ReadTimeoutError

from .codec import Codec
from .embedded import Embedded
from .errors import KEYS, UpstreamBroken, UpstreamError, UpstreamRefused, UpstreamSilent
from .settings import UpstreamSection
from .slots import Slots
from .wire import Sent

if TYPE_CHECKING:
    from .download import Reader

LONGEST_ERROR = 65_536
FAILURES = (RequestException, HTTPError, OSError)
JSON = {"Content-Type": "application/json", "Accept-Encoding": "identity"}


class Upstream:
    """One model server of the settings.

    The adapter is used without a session: a prepared request goes out twice as
    fast, and no proxy or password of the environment is picked up unasked.
    `idle` are the greenlets that wait to read the next reply.
    """

    def __init__(self, name: str, section: UpstreamSection, codec: Codec, key: str = "", pool: int = 1000) -> None:
        self.name, self.section, self.codec, self.key = name, section, codec, key
        self.url = section.url.rstrip("/")
        self.slots = Slots(self.url, section.slots) if section.slots else None
        self.idle: list[Reader] = []
        self._adapter = _adapter(self.url, pool)
        self._verify = section.ca_bundle or True
        self._cert = section.client_cert or None
        self._proxies = {"http": section.proxy, "https": section.proxy} if section.proxy else {}

    def post(self, wire: Sent, limit: float) -> Response:
        """What a codec wrote; raises what requests raises, for the reader to judge."""
        return self._sent("POST", wire.path, wire.body, {**JSON, **wire.headers}, wire.key, limit)

    def send(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], client_key: str = ""
    ) -> Response:
        """Any request, its reply as a stream; `UpstreamError` if none comes."""
        try:
            return self._sent(method, path, body, headers, client_key, self.section.first_byte)
        except FAILURES as error:
            raise self.failed(error) from error

    def failed(self, error: Exception) -> UpstreamError:
        """What went wrong on the way there or back, as an error that names this server and the limit."""
        match error:
            case ConnectTimeout():
                return UpstreamSilent(f"{self.name} was not reached in {self.section.connect:g} s, its connect")
            case ReadTimeout() | ReadTimeoutError():
                return UpstreamSilent(f"{self.name} said nothing for {self.section.first_byte:g} s, its first_byte")
            case RequestsConnectionError() if error.args and isinstance(error.args[0], MaxRetryError):
                return UpstreamError(f"{self.name} cannot be reached at {self.url}: {error.args[0].reason}")
        return UpstreamBroken(f"{self.name} broke off: {error}")

    def refused(self, response: Response) -> UpstreamRefused:
        """Its error in its own words; that it takes no key of ours is the operator's fault, not the client's."""
        code, body = response.status_code, _beginning(response)
        said = self.codec.message_of(body) or body
        error = UpstreamRefused(self.name, code, body, said, _seconds(response.headers.get("Retry-After", "")))
        if code in KEYS and self.section.key == "client":
            error.status = code
        elif code in KEYS:
            error.args = (f"{self.name} does not take its key ({code}): see [upstream:{self.name}] key_env",)
        return error

    def _sent(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], client_key: str, limit: float
    ) -> Response:
        request = PreparedRequest()
        request.method, request.url, request.body = method, self.url + path, body
        sized = {"Content-Length": str(len(body))} if body is not None else {}
        request.headers = CaseInsensitiveDict({**headers, **self._authorized(client_key), **sized})
        limits = (self.section.connect, limit)
        return self._adapter.send(
            request, stream=True, timeout=limits, verify=self._verify, cert=self._cert, proxies=self._proxies
        )

    def _authorized(self, client_key: str) -> dict[str, str]:
        """The key's header: the configured key, or the client's own where the section says so."""
        key = client_key if self.section.key == "client" else self.key
        if not key or self.section.auth == "none":
            return dict(self.section.extra_headers)
        bearer = self.section.auth == "bearer"
        name, value = ("Authorization", f"Bearer {key}") if bearer else (self.section.auth, key)
        return {name: value, **self.section.extra_headers}


def _adapter(url: str, pool: int) -> BaseAdapter:
    return Embedded() if url == "embedded:" else HTTPAdapter(pool_connections=1, pool_maxsize=pool)


def _beginning(response: Response) -> str:
    """The body of an error, as far as anyone would read it."""
    data = response.raw.read(LONGEST_ERROR, decode_content=True) or b""
    response.close()
    return str(data, "utf-8", "replace")


def _seconds(told: str) -> float | None:
    """`Retry-After` in seconds; a date in it is not read."""
    try:
        return max(0.0, float(told))
    except ValueError:
        return None
