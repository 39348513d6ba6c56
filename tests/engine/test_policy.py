"""I2: one function decides; here it is asked directly."""

from typing import Any

import pytest

from codetools.config.defaults import PROTECTED, SECRETS
from codetools.config.names import NameSet
from codetools.config.rules import Rule, parse_rule
from codetools.core.access import CommandAccess, CommandPart, PathAccess
from codetools.core.outcome import Result
from codetools.core.path import Path
from codetools.core.record import Record
from codetools.core.tool import COMMAND, READ_ONLY, STAGING, Effects, Tool
from codetools.engine.policy import Policy

NAMES = ("read", "edit", "write", "grep", "ls", "bash", "web_fetch")
ROOT = Path("/ws")


class Nothing(Record):
    pass


def a_tool(name: str, effects: Effects) -> Tool:
    return Tool(name, (name,), "", effects, Nothing, Result, lambda params, context: Result(), "")


READ, GREP, LS = a_tool("read", READ_ONLY), a_tool("grep", READ_ONLY), a_tool("ls", READ_ONLY)
EDIT, WRITE = a_tool("edit", STAGING), a_tool("write", STAGING)
BASH, FETCH = a_tool("bash", COMMAND), a_tool("web_fetch", Effects(read_only=True, open_world=True))


def rules(allow: str = "", deny: str = "") -> tuple[Rule, ...]:
    allowed = tuple(parse_rule(text, "allow", "config", NAMES) for text in allow.split(";") if text)
    return (*allowed, *(parse_rule(text, "deny", "config", NAMES) for text in deny.split(";") if text))


def policy(allow: str = "", deny: str = "", **changes: Any) -> Policy:
    plain = Policy(
        rules(allow, deny),
        NameSet(SECRETS),
        NameSet(PROTECTED),
        None,
        False,
        True,
        "/ws",
        ("/state/spool/*", "/state/jobs/*/log"),
        ("/state",),
    )
    return plain.but(**changes)


def path(action: Any, written: str, reached: str | None = None, *, writable: bool = True) -> PathAccess:
    inside = written.startswith("/ws/") or written == "/ws"
    return PathAccess(action, Path(written), Path(reached or written), inside, ROOT if inside else Path("/"), writable)


def command(text: str, verdict: Any = "ask", *, enforced: bool = True, simple: bool = True) -> CommandAccess:
    words = tuple(text.split())
    part = CommandPart(words, verdict, "")
    return CommandAccess(text, words if simple else None, verdict, "because", (part,), enforced, ROOT)


@pytest.mark.parametrize(
    ("tool", "access", "answer"),
    [
        (READ, path("read", "/ws/a.py"), "allow"),
        (LS, path("list", "/ws/.env"), "allow"),
        (GREP, path("read", "/ws/sub/.env.local"), "ask"),
        (READ, path("read", "/ws/link", "/ws/.env"), "ask"),
        (READ, path("read", "/etc/passwd"), "ask"),
        (LS, path("list", "/etc"), "ask"),
        (READ, path("read", "/state/spool/1.out"), "allow"),
        (READ, path("read", "/state/jobs/a1/log"), "allow"),
        (GREP, path("read", "/state/spool"), "ask"),
        (GREP, path("read", "/state/jobs/a1"), "ask"),
        (READ, path("read", "/state/jobs/a1/about.json"), "ask"),
        (READ, path("read", "/state/store.sqlite"), "ask"),
        (EDIT, path("edit", "/ws/a.py"), "ask"),
        (EDIT, path("edit", "/ws/.git/config"), "deny"),
        (EDIT, path("edit", "/ws/.GIT/hooks/pre-commit"), "deny"),
        (WRITE, path("edit", "/ws/.codetools/config.yaml"), "deny"),
        (WRITE, path("edit", "/state/trust.json"), "deny"),
        (EDIT, path("edit", "/ws/a.py", writable=False), "deny"),
    ],
)
def test_the_defaults_for_paths(tool: Tool, access: PathAccess, answer: str):
    assert policy().decide_path(tool, access).answer == answer


def test_denied_beats_allowed_and_yolo():
    decision = policy("edit(src/**)", "edit(src/secret.py)", yolo="command line").decide_path(
        EDIT, path("edit", "/ws/src/secret.py")
    )
    assert (decision.answer, decision.rule) == ("deny", "edit(src/secret.py)")


def test_a_read_rule_covers_every_tool_that_shows_content():
    denied = policy(deny="read(vault/**)")
    assert denied.decide_path(GREP, path("read", "/ws/vault/a")).answer == "deny"
    assert denied.decide_path(READ, path("read", "/ws/x", "/ws/vault/a")).answer == "deny"


def test_an_allowance_needs_the_link_and_its_target():
    allowed = policy("edit(src/**)")
    assert allowed.decide_path(EDIT, path("edit", "/ws/src/a")).answer == "allow"
    assert allowed.decide_path(EDIT, path("edit", "/ws/src/a", "/ws/lib/a")).answer == "ask"


def test_yolo_lifts_ask_and_nothing_else():
    yolo = policy(yolo="command line")
    assert yolo.decide_path(EDIT, path("edit", "/ws/a.py")).answer == "allow"
    assert yolo.decide_path(READ, path("read", "/etc/passwd")).origin == "command line"
    assert yolo.decide_path(EDIT, path("edit", "/ws/.git/config")).kind == "protected"
    assert yolo.decide_command(BASH, command("curl http://x", "banned")).kind == "banned"


def test_a_protected_path_needs_a_rule_that_names_it_without_a_wildcard():
    access = path("edit", "/ws/.envrc")
    assert policy("edit(**)").decide_path(EDIT, access).answer == "deny"
    assert policy("edit").decide_path(EDIT, access).answer == "deny"
    assert policy("edit(.envrc)").decide_path(EDIT, access).answer == "allow"


def test_a_workspace_without_bounds_allows_nothing_by_default():
    assert policy(is_bounded=False).decide_path(READ, path("read", "/ws/a.py")).answer == "ask"
    assert policy(is_bounded=False).decide_command(BASH, command("ls", "read_only")).answer == "ask"


def test_read_only_denies_what_can_change_anything():
    limited = policy("edit;bash", yolo="command line", is_read_only=True)
    assert limited.decide_call(EDIT).answer == "deny"
    assert limited.decide_path(EDIT, path("edit", "/ws/a.py")).answer == "deny"
    assert limited.decide_command(BASH, command("make")).answer == "deny"
    assert limited.decide_command(BASH, command("ls", "read_only")).answer == "allow"


def test_a_read_only_command_runs_unasked_only_where_the_kernel_enforces_it():
    assert policy().decide_command(BASH, command("ls", "read_only")).answer == "allow"
    assert policy().decide_command(BASH, command("ls", "read_only", enforced=False)).answer == "ask"
    assert policy().decide_command(BASH, command("make")).answer == "ask"


def parts(*parts: CommandPart) -> CommandAccess:
    return CommandAccess("script", None, "ask", "because", parts, True, ROOT)


def part(text: str, **fields: Any) -> CommandPart:
    return CommandPart(tuple(text.split()), "ask", "because", **fields)


def test_a_command_rule_must_allow_every_part():
    allowed = policy("bash(git status:*)")
    assert allowed.decide_command(BASH, command("git status -s")).answer == "allow"
    assert allowed.decide_command(BASH, command("git push")).answer == "ask"
    assert allowed.decide_command(BASH, parts(part("git status"), part("git push"))).answer == "ask"
    assert allowed.decide_command(BASH, parts(part("cd src", is_harmless=True), part("git status"))).answer == "allow"
    assert allowed.decide_command(BASH, parts(part("true", is_harmless=True))).answer == "ask"


def test_words_that_the_shell_makes_are_allowed_only_where_a_rule_takes_any_words():
    assert policy("bash(npm test:*)").decide_command(BASH, parts(part("npm test $X", known=2))).answer == "allow"
    assert policy("bash(npm test *)").decide_command(BASH, parts(part("npm test $X", known=2))).answer == "ask"
    assert policy("bash(npm:*)").decide_command(BASH, parts(part("$NPM test", known=0))).answer == "ask"


def test_a_denial_that_a_made_word_may_mean_keeps_a_rule_from_allowing():
    both = policy("bash(git:*)", "bash(git push:*)")
    assert both.decide_command(BASH, parts(part("git $X", known=1))).answer == "ask"
    assert both.decide_command(BASH, parts(part("git status $X", known=2))).answer == "allow"
    assert both.decide_command(BASH, parts(part("git -C sub push"))).answer == "deny"
    assert both.decide_command(BASH, parts(part("sudo -Z git push", is_guess=True))).answer == "deny"


def test_a_redirection_is_judged_as_a_write():
    def write(name: str) -> CommandPart:
        return part("echo x", is_harmless=True, writes=(path("edit", name),))

    assert policy("bash(make)").decide_command(BASH, parts(write("/ws/out"), part("make"))).answer == "ask"
    assert policy("bash(make);edit(out)").decide_command(BASH, parts(write("/ws/out"), part("make"))).answer == "allow"
    assert policy("edit(out)").decide_command(BASH, parts(write("/ws/out"))).answer == "allow"
    assert policy("bash").decide_command(BASH, parts(write("/ws/.git/config"))).kind == "protected"
    assert policy("bash", "edit(out)").decide_command(BASH, parts(write("/ws/out"))).answer == "deny"
    assert policy(yolo="user").decide_command(
        BASH, parts(part("rm x", touches=(path("edit", "/ws/.envrc"),)))
    ).kind == ("protected")


def test_what_a_rule_allows_with_its_wrapper_needs_no_rule_within():
    within = parts(part("xargs make"), part("make", within=0))
    assert policy("bash(xargs:*)").decide_command(BASH, within).answer == "allow"
    assert policy("bash(make:*)").decide_command(BASH, within).answer == "ask"
    assert policy("bash(xargs:*)", "bash(make:*)").decide_command(BASH, within).answer == "deny"


def test_an_assignment_is_part_of_what_a_rule_must_allow():
    assigned = parts(part("make", assigned=("PATH=.",)))
    assert policy("bash(make:*)").decide_command(BASH, assigned).answer == "ask"
    assert policy("bash(PATH=. make)").decide_command(BASH, assigned).answer == "allow"
    assert policy("bash", "bash(make:*)").decide_command(BASH, assigned).answer == "deny"


def test_what_is_banned_about_a_use_needs_a_rule_that_names_that_use():
    forced = part("git push -f origin", entry="git push -f|--force").but(verdict="banned")
    assert policy("bash(git:*)").decide_command(BASH, parts(forced)).answer == "deny"
    assert policy("bash(git push -f:*)").decide_command(BASH, parts(forced)).answer == "allow"
    assert "codetools permissions allow 'bash(git push -f origin)'" in policy().decide_command(BASH, parts(forced)).hint


def test_a_denied_command_is_found_in_any_part():
    assert policy("bash", "bash(git push:*)").decide_command(BASH, command("git push", simple=False)).answer == "deny"


def test_a_banned_program_needs_a_rule_that_names_it():
    banned = command("curl http://localhost/x", "banned")
    assert policy("bash").decide_command(BASH, banned).answer == "deny"
    assert policy("bash(curl:*)").decide_command(BASH, banned).answer == "allow"


def test_a_bare_denial_hides_the_tool():
    assert policy(deny="bash").hides(BASH)
    assert not policy(deny="bash(git push:*)").hides(BASH)
    assert policy(deny="bash").decide_call(BASH).answer == "deny"


def test_tools_of_the_open_world_are_asked_about():
    assert policy().decide_call(FETCH).answer == "ask"
    assert policy("web_fetch").decide_call(FETCH).answer == "allow"
    assert policy(yolo="command line").decide_call(FETCH).answer == "allow"


def test_no_rule_lifts_the_removal_of_a_critical_path():
    part = CommandPart(("rm", "-rf", "/"), "banned", "rm would remove /", is_critical=True)
    access = CommandAccess("rm -rf /", part.words, "banned", part.reason, (part,), True, ROOT)
    decision = policy("bash;bash(rm:*)", yolo="command line").decide_command(BASH, access)
    assert (decision.answer, decision.kind, decision.hint) == ("deny", "banned", "")


def test_a_denied_file_is_denied_to_a_reading_command_too():
    access = command("cat vault/a", "read_only").but(shows=(path("read", "/ws/vault/a"),))
    assert policy(deny="read(vault/**)", allow="bash").decide_command(BASH, access).answer == "deny"
    assert policy(deny="read(vault/**)").hidden(BASH) == ("vault/**",)


def test_i2_a_decision_that_is_remembered_is_of_one_policy_one_tool_and_one_path():
    plain = policy()
    asked = [
        (READ, path("read", "/ws/a")),
        (READ, path("read", "/ws/.env")),
        (EDIT, path("edit", "/ws/a")),
        (READ, path("read", "/ws/a", "/ws/.env")),
        (READ, path("read", "/other/a")),
    ]
    fresh = [policy().decide_path(*one) for one in asked]
    assert [plain.decide_path(*one) for one in asked * 2] == fresh * 2
    assert plain.but(rules=rules(deny="read(a)")).decide_path(*asked[0]).answer == "deny"
    assert plain.but(is_bounded=False).decide_path(*asked[0]).answer == "ask"
    assert plain.decide_path(*asked[0]).answer == "allow"
