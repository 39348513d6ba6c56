"""The files made from declarations: what each must hold, so that one check finds every stale one."""

from codetools.cli.catalogue import Catalogue, catalogue
from codetools.cli.front import EXAMPLES
from codetools.cli.listing import TOP_SUMMARY
from codetools.cli.manual import command_manual, main_manual, page_name
from codetools.cli.settings_manual import settings_manual
from codetools.core.errors import Failure

COMPLETION_FILES = {
    "bash": "completions/codetools.bash",
    "zsh": "completions/_codetools",
    "fish": "completions/codetools.fish",
}
SETTINGS_MANUAL = "man5/codetools-config.5"
README = "README.md"
TABLE_BEGINS = "<!-- tools: made by `codetools generate readme` -->"
TABLE_ENDS = "<!-- /tools -->"


def man_pages() -> dict[str, str]:
    """Return every man page by its path in the repository."""
    every = catalogue().commands
    pages = {f"man/{page_name(command.words)}.1": command_manual(command, every) for command in every}
    top = {"man/codetools.1": main_manual(every, TOP_SUMMARY, EXAMPLES), SETTINGS_MANUAL: settings_manual()}
    return {**top, **pages}


def completion_scripts() -> dict[str, str]:
    """Return every completion script by its path in the repository."""
    return {path: completion_script(shell) for shell, path in COMPLETION_FILES.items()}


def completion_script(shell: str) -> str:
    """Return the completion script of bash, zsh or fish."""
    from codetools.cli.shells.bash import bash_script
    from codetools.cli.shells.fish import fish_script
    from codetools.cli.shells.zsh import zsh_script

    scripts = {"bash": bash_script, "zsh": zsh_script, "fish": fish_script}
    return scripts[shell](catalogue())


def readme_with_table(readme: str) -> str:
    """Return the README with the table of tools in place of the one it holds; raise `usage` where it has no place."""
    begins, ends = readme.find(TABLE_BEGINS), readme.find(TABLE_ENDS)
    if begins < 0 or ends < begins:
        raise Failure("usage", f"{README} has no place for the table.", f"Put {TABLE_BEGINS} and {TABLE_ENDS} into it.")
    return f"{readme[:begins]}{TABLE_BEGINS}\n{tools_table(catalogue())}\n{readme[ends:]}"


def tools_table(every: Catalogue) -> str:
    """Return a Markdown table: each tool, its arguments and what it does."""
    rows = ["| tool | arguments | what it does |", "|---|---|---|"]
    for command in every.commands:
        if command.tool in every.tools:
            arguments = " ".join(
                argument.metavar if argument.is_required else f"[{argument.metavar}]" for argument in command.arguments
            )
            rows.append(f"| `{' '.join(command.words)}` | `{arguments}` | {command.summary.replace('|', '&#124;')} |")
    return "\n".join(rows)
