"""Type-checks what translating needs of the core for a 32-bit system with another standard library.

Browsers have 32-bit addresses and libc++; Clang refuses there what GCC lets pass. Takes Zig's Clang
(`pip install ziglang`), which brings the headers of both. Generates no code; takes a minute or two.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

CORE = Path(__file__).parents[1] / "core"
# All that core/translate includes, from left to right.
FOLDERS = ("base", "text", "index", "rules", "lm", "nlm", "judge", "search", "translate")
COMPILER = (sys.executable, "-m", "ziglang", "c++", "-target", "x86-linux-musl", "-std=c++20", "-fsyntax-only")


def refused(folder: str) -> str:
    """What the compiler says against a folder."""
    sources = sorted(path for path in (CORE / folder).glob("*.cpp") if path.name != "kernels.cpp")
    with tempfile.TemporaryDirectory() as name:
        whole = Path(name) / f"{folder}.cpp"
        whole.write_text("".join(f'#include "{folder}/{path.name}"\n' for path in sources), encoding="utf-8")
        command = (*COMPILER, "-ferror-limit=0", "-w", f"-I{CORE}", str(whole))
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "\n".join(line for line in done.stderr.splitlines() if "error:" in line and "failed to rename" not in line)


def main() -> int:
    if importlib.util.find_spec("ziglang") is None:
        print("There is no 32-bit compiler here: pip install ziglang", file=sys.stderr)
        return 2
    problems = [found for folder in FOLDERS if (found := refused(folder))]
    print("\n".join(problems) or f"{len(FOLDERS)} folders of the core are fine with 32 bits.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
