"""The page of hierarchies: how every quasi-identifier becomes coarser, edited in place."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from nicegui import ui

from sfumato.errors import SettingsError
from sfumato.explorer.elements.controls import Tag, button, check, choice, link, text_field
from sfumato.explorer.pages.frame import Page, elsewhere, framed
from sfumato.hierarchies.edited_tree import EditedTree
from sfumato.hierarchies.formats.hierarchy_csv import read_hierarchy_csv, write_hierarchy_csv
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.microdata.roles import Role
from sfumato.study.file.toml_text import value_text
from sfumato.views.levels_view import level_views

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.explorer.workplace import Workplace
    from sfumato.microdata.count_table import CountTable
    from sfumato.views.levels_view import BlockView, LevelView

MOST_BLOCKS = 300
"""How many blocks of a level a page lists."""
WORDS = {
    "intervals": ("Widths of the intervals", "numbers, each a multiple of the one before: 5, 10"),
    "prefix": ("Length of the codes", "a number, or true for codes of any length"),
    "date": ("Units, from fine to coarse", "like month, quarter, year"),
}
"""What can be said of a builder in one line, by its key."""


def hierarchies_page(workplace: Workplace) -> None:
    """Serve the page of hierarchies."""

    @ui.page("/hierarchies")
    async def hierarchies(column: str = "", level: int = 1) -> None:
        if not workplace.is_open:
            ui.navigate.to("/")
            return
        with framed(workplace, "Hierarchies", place="/hierarchies") as page:
            study = workplace.study_file().study
            names = [a.name for a in study.attributes if a.role is Role.QUASI_IDENTIFYING]
            if not names:
                Tag("p", "No column is quasi-identifying.")
                link("Say which are", "/data", kind="action")
                return
            chosen = column if column in names else names[0]
            with Tag("nav", kind="tabs", attributes={"aria-label": "Quasi-identifiers"}):
                for name in names:
                    link(name, f"/hierarchies?column={name}", current=name == chosen)
            await ui.context.client.connected()
            _setting(page, chosen)
            waiting = Tag("p", "Counting the values …", kind="hint")
            try:
                table = await elsewhere(lambda: workplace.study_file().study.count_table)
            except Exception as error:
                waiting.delete()
                page.fail(error)
                return
            waiting.delete()
            _Editor(page=page, column=chosen, level=level, table=table).show()


def _setting(page: Page, column: str) -> None:
    """Show what the study file says, and the parameters of builders that have them."""
    said = tomllib.loads(page.workplace.text)["columns"][column]
    setting = said.get("hierarchy", said.get("partitions"))
    with Tag("section", attributes={"aria-labelledby": "setting-title"}):
        Tag("h2", f"Hierarchy of {column}", attributes={"id": "setting-title"})
        key = next((key for key in WORDS if isinstance(setting, dict) and key in setting), None)
        if key is not None:
            label, hint = WORDS[key]
            value = setting[key]
            shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            text_field(
                label,
                value=shown,
                on_change=lambda text: _set_parameter(page, column, key, text),
                hint=hint,
            )
        elif isinstance(setting, str):
            Tag("p", f"From the file {setting}.")
        else:
            kind = next(iter(setting)) if isinstance(setting, dict) and setting else "partitions"
            Tag("p", {"flat": "The value itself, or nothing of it."}.get(kind, f"By {kind}."))
        with Tag("div", kind="line"):
            minimum = int(said.get("minimum_level", 0))
            text_field(
                "Minimum level",
                value=str(minimum),
                kind="number",
                on_change=lambda text: _set(page, column, "minimum_level", int(text or 0) or None),
                hint="finer levels are never released",
            )
            text_field(
                "Weight",
                value=f"{float(said.get('weight', 1)):g}",
                on_change=lambda text: _set_weight(page, column, text),
                hint="how much its loss counts",
            )


def _set_parameter(page: Page, column: str, key: str, text: str) -> None:
    words = [each.strip() for each in text.split(",") if each.strip()]
    try:
        value: object
        if key == "date":
            value = words
        elif key == "prefix":
            value = True if words == ["true"] else int(words[0])
        else:
            value = [float(word) if "." in word else int(word) for word in words]
    except (ValueError, IndexError):
        label, hint = WORDS[key]
        page.fail(SettingsError.wrong_setting(label.lower(), text, hint, code="wrong-type"))
        return
    if page.edit((("columns", column, "hierarchy", key), value)):
        ui.navigate.reload()


def _set_weight(page: Page, column: str, text: str) -> None:
    try:
        weight = float(text)
    except ValueError:
        page.fail(
            SettingsError.wrong_setting("weight", text, "a number, like 1.5", code="wrong-type")
        )
        return
    _set(page, column, "weight", None if weight == 1 else weight)


def _set(page: Page, column: str, key: str, value: object) -> None:
    if page.edit((("columns", column, key), value)):
        ui.navigate.reload()


@dataclass(kw_only=True)
class _Editor:
    """The blocks of a level, with what is chosen among them."""

    page: Page
    column: str
    level: int
    table: CountTable
    chosen: list[str] = field(default_factory=list)
    label: str = ""

    @property
    def tree(self) -> EditedTree:
        names = [each.name for each in self.table.quasi_identifiers]
        domain = self.table.quasi_identifiers[names.index(self.column)].hierarchy
        if not isinstance(domain, Hierarchy):
            raise SettingsError(
                f"{self.column} has partitions that need not refine each other",
                code="not-a-hierarchy",
                remedy="edit their file",
            )
        return EditedTree.of(domain)

    def show(self) -> None:
        levels = level_views(self.table, self.column)
        self.level = min(max(self.level, 0), len(levels) - 1)
        with Tag("section", attributes={"aria-labelledby": "levels-title"}):
            Tag("h2", "Levels", attributes={"id": "levels-title"})
            with Tag("ol", kind="levels", attributes={"start": 0}):
                for each in levels:
                    with Tag("li"):
                        link(
                            f"level {each.level}",
                            f"/hierarchies?column={self.column}&level={each.level}",
                            current=each.level == self.level,
                        )
                        count = len(each.blocks)
                        Tag("span", f" {count:,} {'block' if count == 1 else 'blocks'}")
            self._level_tools()
        shown = levels[self.level]
        with Tag("section", attributes={"aria-labelledby": "blocks-title"}):
            Tag("h2", f"Blocks of level {self.level}", attributes={"id": "blocks-title"})
            self._block_tools(levels)
            self._blocks(shown)
        self._files()

    def _level_tools(self) -> None:
        top = self.tree.height
        with Tag("div", kind="line"):
            button(
                f"Add a level above level {min(self.level, top - 1)}",
                lambda: self._edit(lambda t: t.with_level(min(self.level, top - 1) + 1)),
            )
            if 1 <= self.level < top:
                button(
                    f"Remove level {self.level}",
                    lambda: self._edit(lambda t: t.without_level(self.level)),
                )

    def _block_tools(self, levels: tuple[LevelView, ...]) -> None:
        inner = 1 <= self.level < len(levels) - 1
        with Tag("div", kind="fields"):
            if inner:
                text_field("Label", on_change=lambda text: setattr(self, "label", text.strip()))
                button("Merge the chosen blocks", lambda: self._edit(self._merged), kind="primary")
                button("Rename the chosen block", lambda: self._edit(self._renamed))
                button("Split the chosen block", lambda: self._edit(self._split))
            if self.level < len(levels) - 2:
                above = [block.label for block in levels[self.level + 1].blocks]
                choice(
                    "Move the chosen ones to",
                    {"": "a block of the next level"} | {each: each for each in above},
                    value="",
                    on_change=lambda to: self._edit(lambda t: t.moved(self.level, self.chosen, to)),
                )

    def _blocks(self, level: LevelView) -> None:
        with Tag("ul", kind="blocks"):
            for block in level.blocks[:MOST_BLOCKS]:
                with Tag("li"):
                    self._block(block)
        hidden = len(level.blocks) - MOST_BLOCKS
        if hidden > 0:
            Tag("p", f"… and {hidden:,} more, which the file of the hierarchy has.", kind="hint")

    def _block(self, block: BlockView) -> None:
        check(
            block.label,
            value=False,
            on_change=lambda value: self._choose(block.label, value=value),
        )
        values = "" if self.level == 0 else f"{block.values:,} values, "
        Tag("span", f"{values}{block.rows:,} rows", kind="note")
        if block.members and block.members != (block.label,):
            with Tag("span", kind="labels"):
                for member in block.members[:5]:
                    Tag("code", member)
                if len(block.members) > 5:
                    Tag("span", "…")

    def _choose(self, label: str, *, value: bool) -> None:
        if value:
            self.chosen.append(label)
        else:
            self.chosen.remove(label)

    def _merged(self, tree: EditedTree) -> EditedTree:
        return tree.merged(self.level, self.chosen, self.label or " or ".join(self.chosen))

    def _renamed(self, tree: EditedTree) -> EditedTree:
        return tree.renamed(self.level, self._one(), self.label)

    def _split(self, tree: EditedTree) -> EditedTree:
        return tree.split(self.level, self._one())

    def _one(self) -> str:
        if len(self.chosen) != 1:
            raise SettingsError(
                "one block is to be chosen for this",
                code="wrong-length",
                found=str(len(self.chosen)),
                expected="1",
            )
        return self.chosen[0]

    def _edit(self, change: Callable[[EditedTree], EditedTree]) -> None:
        try:
            self._store(change(self.tree).hierarchy())
        except Exception as error:
            self.page.fail(error)

    def _store(self, hierarchy: Hierarchy) -> None:
        """Write the hierarchy to a new file: what was there stays, so that it can be undone."""
        study = self.page.workplace.opened
        folder = study.parent / "hierarchies"
        folder.mkdir(mode=0o700, exist_ok=True)
        stem = "".join(c if c.isalnum() else "-" for c in self.column)
        free = (f"{stem}{'' if n == 1 else f'-{n}'}.csv" for n in range(1, 100_000))
        path = next(folder / name for name in free if not (folder / name).exists())
        write_hierarchy_csv(hierarchy, path)
        setting = f"hierarchies/{path.name}"
        if self.page.edit((("columns", self.column, "hierarchy"), setting)):
            ui.navigate.to(f"/hierarchies?column={self.column}&level={self.level}")

    def _files(self) -> None:
        with Tag("section", attributes={"aria-labelledby": "files-title"}):
            Tag("h2", "Files", attributes={"id": "files-title"})
            Tag(
                "p",
                "A hierarchy file has a line for every value: the value, its label at every "
                "level, the top, separated by semicolons. ARX reads and writes the same.",
                kind="hint",
            )
            text_field(
                "Take the hierarchy from a file",
                on_change=lambda text: self._edit(
                    lambda _: EditedTree.of(read_hierarchy_csv(Path(text).expanduser()))
                ),
                placeholder="path of a .csv file",
            )
            text = "\n".join(";".join(row) for row in self.tree.rows) + "\n"
            button(
                "Download it as a file",
                lambda: ui.download.content(text, f"{self.column}.csv", "text/csv"),
            )
            said = tomllib.loads(self.page.workplace.text)["columns"][self.column]
            Tag("h3", "In the study file")
            with Tag("pre"):
                Tag("code", f"hierarchy = {value_text(said.get('hierarchy', {}))}"[:2000])
