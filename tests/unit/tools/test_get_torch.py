"""PyTorch is installed where it is wanted and brings no GPU packages, and what would happen is said first."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[3] / "tools" / "get_torch.py"


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module, on a machine without PyTorch."""
    spec = importlib.util.spec_from_file_location("get_torch", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "get_torch", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module.importlib.util, "find_spec", lambda name: None)
    return module


@pytest.fixture
def installs(tool: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    calls: list[list[str]] = []
    monkeypatch.setattr(tool, "pip", lambda arguments, seconds: calls.append(arguments))
    return calls


@pytest.fixture
def bringing(tool: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets what pip would install."""

    def set_packages(*packages: tuple[str, int]) -> None:
        monkeypatch.setattr(tool, "resolved", lambda wanted: [tool.Package(*each) for each in packages])

    return set_packages


def test_a_build_for_processors_is_installed(
    tool: ModuleType, bringing: Callable[..., None], installs: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    bringing(("torch", 190_000_000), ("numpy", 18_000_000))
    assert tool.get_torch("auto")
    assert any("torch" in argument for argument in installs[0])
    assert "2 packages, 208 MB" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["nvidia-cublas", "NVIDIA-cudnn-cu13", "triton", "cuda-bindings", "pytorch-triton"])
def test_packages_for_gpus_are_left_out_unless_asked_for(
    tool: ModuleType,
    bringing: Callable[..., None],
    installs: list[list[str]],
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    bringing(("torch", 800_000_000), (name, 2_000_000_000))
    assert not tool.get_torch("auto")
    said = capsys.readouterr().out
    assert not installs and "2.8 GB" in said and "TORCH=1" in said
    assert tool.get_torch("1")
    assert len(installs) == 1


def test_no_means_that_pip_is_not_even_asked(tool: ModuleType, installs: list[list[str]]) -> None:
    assert not tool.get_torch("0")
    assert not installs


def test_what_is_here_is_not_installed_again(
    tool: ModuleType, installs: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool.importlib.util, "find_spec", lambda name: object())
    assert tool.get_torch("auto")
    assert not installs


def test_where_pip_fails_the_reason_is_said(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(arguments: list[str], seconds: int) -> str:
        raise tool.PipError("ERROR: no network")

    monkeypatch.setattr(tool, "pip", refuse)
    assert not tool.get_torch("auto")
    assert "no network" in capsys.readouterr().out


def test_sizes_that_nobody_tells_are_a_lower_bound(tool: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "a b.whl").write_bytes(bytes(2_000_000))
    known = tool.size_of((tmp_path / "a b.whl").as_uri())
    assert known == 2_000_000
    assert tool.size_of("https://localhost:9/none.whl") == 0
    assert tool.told([tool.Package("a", known), tool.Package("b", 0)]) == "2 packages, at least 2 MB to fetch"
