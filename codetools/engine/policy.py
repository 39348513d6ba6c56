"""The one place that decides: refusal > denied > allowed > yolo > default. Pure: it reads nothing and asks nobody."""

import os
from typing import Any, Literal

from codetools.config.command_pattern import first_word
from codetools.config.glob import match_path
from codetools.config.rules import (
    Rule,
    rule_covers,
    rule_matches_command,
    rule_matches_path,
    rule_may_match_command,
    rule_names_path,
    rule_names_program,
)
from codetools.core.access import CommandAccess, CommandPart, PathAccess
from codetools.core.record import Record
from codetools.core.tool import Tool
from codetools.system.confined import below

COMMAND_TOOLS = ("bash", "exec")
MOST_KNOWN = 1000  # decisions on paths: a call asks about one more than once, a process that stays again and again


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

    `secrets` and `protected` are the NameSets of the settings. `yolo` is where yolo comes from, or None. `kept` are
    patterns of files with what commands wrote, to be read by who was told the name: their directories hold what other
    sessions and workspaces did. `private` are the user's settings and state, protected wherever they lie.
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
        if tool.caution:
            return self._yolo_or(Decision("ask", tool.caution))
        if rule := self._whole("allow", tool):
            return _allowed(rule)
        return self._yolo_or(Decision("ask", f"{tool.name} acts outside the workspace"))

    def decide_path(self, tool: Tool, access: PathAccess) -> Decision:
        """Decide on one path, as written and as reached."""
        # of this policy alone: one that differs in anything is another object, which knows nothing yet
        known: dict[object, Decision] = self.__dict__.setdefault("_known", {})
        named = (tool.name, access.action, access.written, access.reached)
        asked = (*named, access.inside, access.root, access.writable)
        found = known.get(asked)
        if found is None:
            found = self._path_decision(tool, access)
            if len(known) >= MOST_KNOWN:
                known.clear()
            known[asked] = found
        return found

    def _path_decision(self, tool: Tool, access: PathAccess) -> Decision:
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
        """Decide on one command, as it was judged: one part suffices to deny it, every part must be allowed."""
        if denied := self._denied_command(tool, access):
            return denied
        is_harmless = access.verdict == "read_only" and access.is_enforced
        if self.is_read_only and not is_harmless:
            return Decision("deny", "this call is limited to reading, and the command is not known to only read")
        for part in access.parts:
            if part.verdict == "banned" and not part.is_critical and not self._lifts(part):
                return _banned(part)
        if access.leaves_sandbox:  # neither a rule nor yolo was given for that
            return Decision("ask", "it asks to run outside the sandbox")
        if rule := self._whole("allow", tool):
            return _allowed(rule)
        asking, rules = self._settled(tool, access)
        if not asking and rules:
            return _allowed(rules[0])
        if is_harmless and self.is_bounded:
            return Decision("allow", "the command only reads, and the kernel holds it to that")
        reason = asking[0].reason if asking else access.reason
        return self._yolo_or(Decision("ask", reason or access.reason))

    def decide_job(self, tool: Tool, *, is_own: bool) -> Decision:
        """Decide on a background job; `is_own` says whether this session started it."""
        if is_own:
            return Decision("allow", "it is a job of this session")
        if rule := self._whole("allow", tool):
            return _allowed(rule)
        return self._yolo_or(Decision("ask", "another session started that job"))

    def asking_parts(self, tool: Tool, access: CommandAccess) -> tuple[CommandPart, ...]:
        """Return the parts of a command that no rule allows."""
        return tuple(self._settled(tool, access)[0]) or access.parts

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

    def _denied_command(self, tool: Tool, access: CommandAccess) -> Decision | None:
        for rule in self.rules:
            if rule.effect == "deny" and self._denies(rule, tool, access):
                return _denied("the command is denied", rule)
        if critical := next((part for part in access.parts if part.is_critical), None):
            return Decision("deny", f"{critical.reason}; no rule lifts that", kind="banned")
        paths = [*access.shows, *(path for part in access.parts for path in (*part.writes, *part.touches))]
        decisions = (self.decide_path(tool, path) for path in dict.fromkeys(paths))
        return next((decision for decision in decisions if decision.answer == "deny"), None)

    def _denies(self, rule: Rule, tool: Tool, access: CommandAccess) -> bool:
        if rule_matches_command(rule, access.words, tool.name):
            return True
        return any(
            rule_matches_command(rule, words, tool.name, part.known)
            for part in access.parts
            for words in (_beginnings(rule, part.words) if part.is_guess else (part.words,))
        )

    def _settled(self, tool: Tool, access: CommandAccess) -> tuple[list[CommandPart], list[Rule]]:
        """Return the parts that nothing allows, and the rules that allow the others."""
        asking: list[CommandPart] = []
        rules: list[Rule] = []
        allowed: set[int] = set()
        for index, part in enumerate(access.parts):
            rule = self._allowing(tool, part)
            writes = [self.decide_path(tool, path) for path in part.writes]
            is_named = rule is not None or (part.is_harmless and not part.is_opaque)
            if part.is_guess or part.within in allowed:
                allowed |= {index} if part.within in allowed else set()
            elif is_named and all(decision.answer == "allow" for decision in writes):
                rules += [rule] if rule else []
                if rule:
                    allowed.add(index)
                rules += [found for path in part.writes if (found := self._path_rule(tool, path))]
            else:
                asking.append(part)
        return asking, rules

    def _allowing(self, tool: Tool, part: CommandPart) -> Rule | None:
        """Return the rule that allows a part, unless a denial may be about what the shell makes of it."""
        if part.is_opaque or part.is_guess:
            return None
        if any(rule.effect == "deny" and rule_may_match_command(rule, part.words, part.known) for rule in self.rules):
            return None
        words = (*part.assigned, *part.words)
        known = None if part.known is None else part.known + len(part.assigned)
        for rule in self.rules:
            if rule.effect == "allow" and rule_matches_command(rule, words, tool.name, known):
                return rule
        return None

    def _path_rule(self, tool: Tool, path: PathAccess) -> Rule | None:
        covering = (rule for rule in self.rules if rule.effect == "allow" and rule_covers(rule, tool.name, path.action))
        return next((rule for rule in covering if rule_matches_path(rule, path)), None)

    def _whole(self, effect: str, tool: Tool) -> Rule | None:
        bare = (rule for rule in self.rules if rule.effect == effect and rule.pattern is None)
        return next((rule for rule in bare if rule_covers(rule, tool.name)), None)

    def _default(self, access: PathAccess) -> Decision:
        if access.action == "read" and any(match_path(kept, access.reached) for kept in self.kept):
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

    def _lifts(self, part: CommandPart) -> bool:
        """Whether the user's own rule names a banned program, and what is banned about it."""
        return any(
            rule.effect == "allow"
            and rule_names_program(rule, part.words[0])
            and rule_matches_command(rule, part.words, known=part.known)
            and _names_entry(rule, part.entry)
            for rule in self.rules
            if part.words
        )


def _names_entry(rule: Rule, entry: str) -> bool:
    from codetools.config.banned_entry import entry_matches, is_about_arguments
    from codetools.config.command_pattern import literal_words

    if not is_about_arguments(entry) or rule.pattern is None:
        return True
    program, *arguments = literal_words(rule.pattern)
    return entry_matches(entry, os.path.basename(program), tuple(arguments))


def _beginnings(rule: Rule, words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return every place in a guess where the program of a denial stands."""
    program = first_word(rule.pattern) if rule.pattern else ""
    return [words[index:] for index, word in enumerate(words) if index == 0 or os.path.basename(word) == program]


def _allowed(rule: Rule) -> Decision:
    return Decision("allow", f"the rule {rule.text} allows it", rule.text, rule.origin)


def _denied(what: str, rule: Rule) -> Decision:
    return Decision("deny", f"{what} by the rule {rule.text} ({rule.origin})", rule.text, rule.origin)


def _protected(access: PathAccess, name: str) -> Decision:
    shown = access.written.printable()
    relative = access.written[len(access.root) :].lstrip("/") if access.inside else access.written
    hint = f"Only the user can allow it, by a rule that names it: codetools permissions allow 'edit({relative})'."
    return Decision("deny", f"{shown} is protected ({name})", kind="protected", hint=hint)


def _banned(part: CommandPart) -> Decision:
    """Return the denial of a banned command, with the words that lift it: for this use, and for all."""
    from codetools.config.banned_entry import is_about_arguments
    from codetools.config.command_pattern import quote_words

    program = part.words[0] if part.words else ""
    hint = ""
    if program:
        is_exact = part.known is None and not part.is_guess
        each = f"bash({quote_words(part.words)})" if is_exact else ""
        every = "" if is_about_arguments(part.entry) and is_exact else f"bash({program}:*)"
        rules = [f"codetools permissions allow {_shell_word(rule)}" for rule in (each, every) if rule]
        hint = f"Only the user can lift it: {', or for every use '.join(rules)}. Yolo does not."
    return Decision("deny", f"the command is banned: {part.reason} (setting banned_commands)", kind="banned", hint=hint)


def _shell_word(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
