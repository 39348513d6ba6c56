"""Hands a shell its completion script."""

from typing import Literal

from codetools.cli.handmade import handmade
from codetools.core.arg import Annotated, Arg
from codetools.core.outcome import Result
from codetools.core.record import Record
from codetools.engine.options import Options


class Params(Record):
    """Which shell."""

    shell: Annotated[Literal["bash", "zsh", "fish"], Arg("Shell to complete in.", positional=True)]


class Script(Result):
    """One completion script."""

    shell: str
    script: str

    def text(self) -> str:
        """Return the script."""
        return self.script


@handmade(examples=("codetools completions bash >> ~/.bash_completion", "source <(codetools completions zsh)"))
def completions(params: Params, options: Options) -> Script:
    """Print the completion script of a shell.

    The script is static: pressing Tab starts no process. An installation puts it where bash, zsh and fish look by
    themselves; this command is for every other place.
    """
    from codetools.cli.generated import completion_script

    return Script(params.shell, completion_script(params.shell))
