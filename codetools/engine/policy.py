"""The one place that decides: refusal > denied > allowed > yolo > default. Pure: it reads nothing and asks nobody."""

from typing import Any, Literal

from codetools.config.rules import (
    Rule,
    rule_covers,
    rule_matches_command,
    rule_matches_path,
    rule_names_path,
    rule_names_program,
)
from codetools.core.access import CommandAccess, PathAccess
from codetools.core.record import Record
from codetools.core.tool import Tool
from codetools.system.confined import below

COMMAND_TOOLS = ("bash", "exec")


class Decision(Record):
    """What the policy says of one access, by which rule, from where; `kind` is the failure that a denial becomes."""

    answer: Literal["allow", "ask", "deny"]
    reason: str
    rule: str | None = None
    origin: str | None = None
    kind: str = "denied"
    hint: str = ""


class Policy(Record):
    """Everything that a decision depends on.

    `secrets` and `protected` are the NameSets of the settings. `yolo` is where yolo comes from, or None. `kept` are the
    directories of what commands wrote, kept to be read. `private` are the user's settings and state, protected wherever they lie.
    """

    rules: tuple[Rule, ...]
    secrets: Any
    protected: Any
    yolo: str | None
    is_read_only: bool
    is_bounded: bool
    root: str
    kept: tuple[str, ...]
    private: tuple[str, ...]

    def decide_call(self, tool: Tool) -> Decision:
        """Decide whether the tool may run at all, before its paths and commands are known."""
        if rule := self._whole("deny", tool):
            return _denied(f"the tool {tool.name} is denied", rule)
        if self.is_read_only and not tool.effects.read_only and tool.name not in COMMAND_TOOLS:
            return Decision("deny", f"{tool.name} can change things, and this call is limited to reading")
        if not tool.effects.open_world or tool.name in COMMAND_TOOLS:
            return Decision("allow", "its paths and commands are judged one by one")
        if rule := self._whole("allow", tool):
            return _allowed(rule)
        return self._yolo_or(Decision("ask", f"{tool.name} acts outside the workspace"))

    def decide_path(self, tool: Tool, access: PathAccess) -> Decision:
        """Decide on one path, as written and as reached."""
        rules = [rule for rule in self.rules if rule_covers(rule, tool.name, access.action)]
        for rule in rules:
            if rule.effect == "deny" and rule_matches_path(rule, access):
                return _denied(f"{access.written.printable()} is denied", rule)
        if access.action == "edit":
            if self.is_read_only:
                return Decision("deny", "this call is limited to reading")
            if not access.writable:
                return Decision("deny", f"{access.root} was opened for reading only")
            if name := self._protected_by(access):
                named = next((rule for rule in rules if rule_names_path(rule, access)), None)
                return _allowed(named) if named else _protected(access, name)
        for rule in rules:
            if rule.effect == "allow" and rule_matches_path(rule, access):
                return _allowed(rule)
        return self._yolo_or(self._default(access))

    def decide_command(self, tool: Tool, access: CommandAccess) -> Decision:
        """Decide on one command, as it was judged."""
        parts = (access.words, *(part.words for part in access.parts))
        for rule in self.rules:
            if rule.effect == "deny" and any(rule_matches_command(rule, words, tool.name) for words in parts):
                return _denied("the command is denied", rule)
        if any(part.kind == "critical" for part in access.parts):
            return Decision("deny", f"{access.reason}; no rule lifts that", kind="banned")
        if shown := self._denied_show(tool, access):
            return shown
        is_harmless = access.verdict == "read_only" and access.is_enforced
        if self.is_read_only and not is_harmless:
            return Decision("deny", "this call is limited to reading, and the command is not known to only read")
        if access.verdict == "banned" and not self._lifted(access):
            return _banned(access)
        if access.leaves_sandbox:  # neither a rule nor yolo was given for that
            return Decision("ask", "it asks to run outside the sandbox")
        if lifted := access.verdict == "banned" and self._lifted(access):
            return lifted
        for rule in self.rules:
            if rule.effect == "allow" and rule_matches_command(rule, access.words, tool.name):
                return _allowed(rule)
        if is_harmless and self.is_bounded:
            return Decision("allow", "the command only reads, and the kernel holds it to that")
        return self._yolo_or(Decision("ask", access.reason))

    def decide_job(self, tool: Tool, *, is_own: bool) -> Decision:
        """Decide on a background job; `is_own` says whether this session started it."""
        if is_own:
            return Decision("allow", "it is a job of this session")
        if rule := self._whole("allow", tool):
            return _allowed(rule)
        return self._yolo_or(Decision("ask", "another session started that job"))

    def hidden(self, tool: Tool) -> tuple[str, ...]:
        """Return the name patterns of denied reading, for a command that searches whole trees to pass over."""
        found = []
        for rule in self.rules:
            if rule.effect == "deny" and rule.pattern is not None and rule_covers(rule, tool.name, "read"):
                found.append(rule.pattern.removeprefix(f"{rule.anchor}/").removeprefix("./"))
        return tuple(found)

    def hides(self, tool: Tool) -> bool:
        """Return whether a bare rule denies the whole tool, so that a model need not see it."""
        return self._whole("deny", tool) is not None

    def _denied_show(self, tool: Tool, access: CommandAccess) -> Decision | None:
        """Return the denial of a file that a reading command would show."""
        decisions = (self.decide_path(tool, shown) for shown in access.shows)
        return next((decision for decision in decisions if decision.answer == "deny"), None)

    def _whole(self, effect: str, tool: Tool) -> Rule | None:
        bare = (rule for rule in self.rules if rule.effect == effect and rule.pattern is None)
        return next((rule for rule in bare if rule_covers(rule, tool.name)), None)

    def _default(self, access: PathAccess) -> Decision:
        if access.action == "read" and any(below(access.reached, kept) for kept in self.kept):
            return Decision("allow", "it is output that was kept to be read")
        if access.action == "edit":
            return Decision("ask", "a change is asked about")
        if not self.is_bounded:
            return Decision("ask", f"{self.root} is too wide to be a workspace: change to a project, or use --root")
        if not access.inside:
            return Decision("ask", f"it lies outside the workspace {self.root}")
        if access.action == "read" and (name := self.secrets.find(access.written, access.root)):
            return Decision("ask", f"its name may hold secrets ({name})")
        if access.action == "read" and (name := self.secrets.find(access.reached, access.root)):
            return Decision("ask", f"its name may hold secrets ({name})")
        return Decision("allow", "reading in the workspace is allowed")

    def _yolo_or(self, decision: Decision) -> Decision:
        if decision.answer == "ask" and self.yolo is not None:
            return Decision("allow", f"{decision.reason}, but yolo is on", "yolo", self.yolo)
        return decision

    def _protected_by(self, access: PathAccess) -> str | None:
        for path in (access.written, access.reached):
            if any(below(path, private) for private in self.private):
                return "the user's own settings and state"
            if name := self.protected.find(path, access.root if access.inside else None):
                return str(name)
        return None

    def _lifted(self, access: CommandAccess) -> Decision | None:
        """Return the allowance where the user's rules name every banned program of a command and match it."""
        banned = [part for part in access.parts if part.verdict == "banned" and part.words]
        lifting = [next((rule for rule in self.rules if _lifts(rule, part.words)), None) for part in banned]
        if not lifting or access.words is None or None in lifting:
            return None
        first = lifting[0]
        return _allowed(first) if first else None


def _lifts(rule: Rule, words: tuple[str, ...]) -> bool:
    return rule.effect == "allow" and rule_names_program(rule, words[0]) and rule_matches_command(rule, words)


def _allowed(rule: Rule) -> Decision:
    return Decision("allow", f"the rule {rule.text} allows it", rule.text, rule.origin)


def _denied(what: str, rule: Rule) -> Decision:
    return Decision("deny", f"{what} by the rule {rule.text} ({rule.origin})", rule.text, rule.origin)


def _protected(access: PathAccess, name: str) -> Decision:
    shown = access.written.printable()
    relative = access.written[len(access.root) :].lstrip("/") if access.inside else access.written
    hint = f"Only the user can allow it, by a rule that names it: codetools permissions allow 'edit({relative})'."
    return Decision("deny", f"{shown} is protected ({name})", kind="protected", hint=hint)


def _banned(access: CommandAccess) -> Decision:
    part = next((part for part in access.parts if part.verdict == "banned"), None)
    program = part.words[0] if part and part.words else ""
    hint = f"Only the user can lift it: codetools permissions allow 'bash({program}:*)'." if program else ""
    return Decision("deny", f"the command is banned: {access.reason}", kind="banned", hint=hint)
