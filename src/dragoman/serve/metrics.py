"""Counters in the text format of Prometheus."""

from __future__ import annotations

import bisect
import itertools
import time
from collections import Counter

from dragoman.process_memory import resident_bytes
from dragoman.serve.engine import Engine

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """Touched by the event loop alone, so nothing is locked."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._texts: Counter[tuple[str, str]] = Counter()
        self._characters: Counter[tuple[str, str]] = Counter()
        self._lessons: Counter[tuple[str, str]] = Counter()
        self._buckets: dict[str, list[int]] = {}
        self._seconds: Counter[str] = Counter()
        self.open_requests = 0

    def request(self, route: str, status: int, seconds: float) -> None:
        self._requests[route, status] += 1
        buckets = self._buckets.setdefault(route, [0] * (len(SECONDS) + 1))
        buckets[bisect.bisect_left(SECONDS, seconds)] += 1
        self._seconds[route] += seconds  # type: ignore[assignment]

    def translated(self, source: str, target: str, texts: int, characters: int) -> None:
        self._texts[source, target] += texts
        self._characters[source, target] += characters

    def use_counts(self) -> dict[str, int]:
        return {f"{source}-{target}": count for (source, target), count in sorted(self._texts.items())}

    def taught(self, source: str, target: str, lessons: int) -> None:
        self._lessons[source, target] += lessons

    def text(self, engine: Engine) -> str:
        lines: list[str] = []

        def family(name: str, kind: str, help_text: str) -> None:
            lines.append(f"# HELP dragoman_{name} {help_text}\n# TYPE dragoman_{name} {kind}")

        family("requests_total", "counter", "Requests answered, by route and status.")
        for (route, status), count in sorted(self._requests.items()):
            lines.append(f'dragoman_requests_total{{route="{route}",status="{status}"}} {count}')
        family("request_seconds", "histogram", "Time from a request's first byte to its answer.")
        for route, buckets in sorted(self._buckets.items()):
            for limit, count in zip((*map(str, SECONDS), "+Inf"), itertools.accumulate(buckets), strict=True):
                lines.append(f'dragoman_request_seconds_bucket{{route="{route}",le="{limit}"}} {count}')
            lines.append(f'dragoman_request_seconds_sum{{route="{route}"}} {self._seconds[route]:.6f}')
            lines.append(f'dragoman_request_seconds_count{{route="{route}"}} {sum(buckets)}')
        for name, help_text, counts in (
            ("texts_total", "Texts translated.", self._texts),
            ("characters_total", "Characters translated.", self._characters),
            ("lessons_total", "Sentence pairs taught.", self._lessons),
        ):
            family(name, "counter", help_text)
            for (source, target), count in sorted(counts.items()):
                lines.append(f'dragoman_{name}{{source="{source}",target="{target}"}} {count}')
        for name, kind, help_text, value in (
            ("open_requests", "gauge", "Requests being handled.", self.open_requests),
            ("waiting_requests", "gauge", "Translations waiting for a thread.", engine.workers.waiting),
            ("refused_total", "counter", "Translations refused because too many waited.", engine.workers.refused),
            ("threads", "gauge", "Threads that translate.", engine.workers.threads),
            ("models", "gauge", "Models loaded.", len(engine.models)),
            ("resident_bytes", "gauge", "Memory in use.", resident_bytes()),
            ("cpu_seconds_total", "counter", "Processor time of all threads.", f"{time.process_time():.3f}"),
        ):
            family(name, kind, help_text)
            lines.append(f"dragoman_{name} {value}")
        return "\n".join(lines) + "\n"
