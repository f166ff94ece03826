"""One of the processes that torchrun starts for a row of nlm_scaling; the first tells of the run, as a line of JSON.

    python -m torch.distributed.run --standalone --nproc-per-node 2 -m benchmarks.nlm_process TEXT CLASSES OUT OPTIONS

OPTIONS are those of NlmOptions that are not the defaults, as JSON. It needs no more than training itself does.
"""

from __future__ import annotations

import json
import os
import sys

from dragoman.config import NlmOptions
from dragoman.neural import train_model


def main() -> None:
    text, classes, out, options = sys.argv[1:]
    made = train_model(text, out, NlmOptions(**json.loads(options)), classes=classes).as_json()
    if os.environ["RANK"] == "0":
        print(json.dumps({name: made[name] for name in ("tokens_per_second", "heldout_perplexity")}), flush=True)


if __name__ == "__main__":
    main()
