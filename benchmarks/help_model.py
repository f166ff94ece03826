"""The demo's corpus as a text that tables translate: LibreOffice's help, French to English, held out by page.

Its packages are fetched from Debian, 5 MB, by the demo's own steps, so its bytes are Debian's current ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness.table import NotHereError, Setting
from benchmarks.trained import TrainedModel
from dragoman.config import CleanOptions, SplitOptions
from dragoman.corpus.preparation import prepare
from examples.demo import libreoffice
from examples.demo.packages import PackageError


@dataclass(frozen=True, slots=True)
class HelpModel(TrainedModel):
    """Trained on what the demo trains on, tested on what it tests on."""

    @property
    def text(self) -> Path:
        return self.folder / "libreoffice-help" / "prepared"

    def get_text(self) -> None:
        if self.text.exists():
            return
        folder = self.text.parent
        try:
            libreoffice.download(folder)
            libreoffice.extract(folder)
            pairs, _ = libreoffice.pair(folder, lambda done, total: None)
        except PackageError as error:
            raise NotHereError(f"the packages of LibreOffice's help cannot be had: {error}") from error
        source, target = self.languages
        prepare(
            [pairs],
            self.text,
            source_lang=source,
            target_lang=target,
            clean=CleanOptions(identical_words=1),
            split=SplitOptions(dev="1200", test="1200", split_by="page"),
            overwrite=True,
        )

    def lines(self, part: str, lang: str) -> list[str]:
        return (self.text / f"{part}.{lang}").read_text(encoding="utf-8").split("\n")[:-1]


def help_model(setting: Setting) -> HelpModel:
    options = {
        "language_models": "ngram",
        "judge": "off",
        "tune": setting.either(quick=False, full=True),
        "stages": {"decode": {"decoder": "phrase-based"}, "clean": {"identical_words": 1}},
    }
    return HelpModel("libreoffice-help", "fr-en", options, folder=setting.folder, threads=setting.threads)
