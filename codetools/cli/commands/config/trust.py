"""Lets one project's settings do more than tighten."""

from typing import Literal

from codetools.cli.handmade import WHERE, handmade
from codetools.cli.person import confirms, is_at_terminal, refuse_below_a_call
from codetools.config.load import Config
from codetools.config.source import Source, read_source
from codetools.core.arg import Annotated, Arg
from codetools.core.errors import Failure
from codetools.core.outcome import Result
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.engine.engine import start
from codetools.engine.options import Options
from codetools.state.trust import distrust
from codetools.state.trust import trust as trust_content


class Params(Record):
    """What to do with the trust."""

    yes: Annotated[bool, Arg("Do not show the file and ask.", short="y")] = False
    remove: Annotated[bool, Arg("Trust it no longer.")] = False


class Trusted(Result):
    """The project's settings file, and whether it is trusted now; `sha256` is the content that is."""

    path: Path
    state: Literal["trusted", "untrusted", "unchanged"]
    sha256: str | None

    def text(self) -> str:
        """Return one line."""
        said = {
            "trusted": "is trusted as it is now; any change to it ends that",
            "untrusted": "is no longer trusted: it can only tighten",
            "unchanged": "was not trusted",
        }
        return f"{self.path} {said[self.state]}."


@handmade(examples=("codetools config trust", "codetools config trust --remove"), options=WHERE)
def trust(params: Params, options: Options) -> Trusted:
    """Trust the project's settings file, at this path and with this content.

    Until then it can only tighten: deny more, lower limits. A project never sets yolo or roots, trusted or not. On a
    terminal the file is shown first; elsewhere --yes is needed.
    """
    refuse_below_a_call("config trust")
    engine = start(options)
    source = _project(engine.config)
    if params.remove:
        was_trusted = distrust(engine.home, source.path)
        return Trusted(source.path, "untrusted" if was_trusted else "unchanged", None)
    if source.sha256 is None:
        raise Failure("not_found", f"{source.path}: there are no project settings to trust.")
    if not params.yes:
        _ask(source, engine.workspace.root)
    trust_content(engine.home, source.path, source.sha256)
    return Trusted(source.path, "trusted", source.sha256)


def _project(config: Config) -> Source:
    for source in config.sources:
        if source.layer == "project":
            return source
    raise Failure("not_found", "there is no project here.", "Name its root with --root DIR.")


def _ask(source: Source, root: str) -> None:
    if not is_at_terminal():
        raise Failure("usage", "config trust asks on a terminal.", "Read the file, then give --yes.")
    content = read_source(source.path, root) or b""
    from hashlib import sha256

    if sha256(content).hexdigest() != source.sha256:
        raise Failure("stale", f"{source.path} has just changed.", "Run the command again.")
    shown = f"{source.path}:\n\n{content.decode('utf-8', 'replace')}"
    if not confirms(shown, "Trust this file, with exactly this content?"):
        raise Failure("denied", f"{source.path} was not trusted.")
