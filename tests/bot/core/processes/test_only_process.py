"""One process at a time runs on an SQLite file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.core.processes.only_process import AlreadyRunning, only_process

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("linked", ["file", "folder", "nothing"])
async def test_a_file_is_the_same_by_whatever_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, linked: str
) -> None:
    monkeypatch.setattr("bot.core.processes.only_process.PATIENCE", 0.1)
    folder = tmp_path / "there"
    folder.mkdir()
    file, other = folder / "games.sqlite3", tmp_path / "elsewhere"
    if linked == "folder":
        other.symlink_to(folder)
        other /= file.name
    elif linked == "file":
        other.symlink_to(file)
    async with only_process(f"sqlite:///{file}"):
        if linked == "nothing":
            async with only_process(f"sqlite:///{other}"):
                return
        with pytest.raises(AlreadyRunning, match=r"games\.sqlite3"):
            async with only_process(f"sqlite:///{other}"):
                pass
