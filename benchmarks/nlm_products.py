"""Products of matrices as training has them, by the core's kernel and by OpenBLAS (numpy's), on one core.

    OPENBLAS_NUM_THREADS=1 python -m benchmarks.nlm_products [--seconds N]

Shapes are rows, columns and depth: logits of a part of the classes' factor and of a class of some words, the gradient
of the hidden layer, and that of some weights. Thousand millions of additions and multiplications in a CPU second.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable

import numpy as np

from benchmarks.measure import report
from dragoman import _core

SHAPES = {
    "logits of 350 classes": (350, 128, 256),
    "logits of a class of 100 words": (100, 32, 256),
    "logits of a class of 10 words": (10, 16, 256),
    "gradient of the hidden layer": (128, 256, 350),
    "gradient of 48 weights": (48, 256, 128),
}


def rate(operations: int, multiply: Callable[[int], object], seconds: float) -> float:
    times = 1
    while True:
        begun = time.process_time()
        multiply(times)
        took = time.process_time() - begun
        if took > seconds:
            return round(operations * times / took / 1e9, 1)
        times *= 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.5)
    given = parser.parse_args()
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        parser.error("set OPENBLAS_NUM_THREADS=1, so that both have one core")
    for name, (rows, columns, depth) in SHAPES.items():
        left, right = np.ones((rows, depth), np.float32), np.ones((depth, columns), np.float32)
        product = np.empty((rows, columns), np.float32)

        def with_blas(times: int, left: object = left, right: object = right, product: object = product) -> None:
            for _ in range(times):
                np.matmul(left, right, out=product)  # type: ignore[call-overload]

        def with_core(times: int, sizes: tuple[int, int, int] = (rows, columns, depth)) -> None:
            _core.testing.multiply(*sizes, times)

        operations = 2 * rows * columns * depth
        report(
            {
                "product": name,
                "shape": [rows, columns, depth],
                "core": rate(operations, with_core, given.seconds),
                "openblas": rate(operations, with_blas, given.seconds),
            }
        )


if __name__ == "__main__":
    main()
