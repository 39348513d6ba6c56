from pathlib import Path as Directory
from typing import Literal

import pytest

from codetools.config.narrowest import narrowest_command_rule, narrowest_path_rule
from codetools.config.rules import (
    Rule,
    parse_rule,
    rule_covers,
    rule_matches_command,
    rule_matches_path,
    rule_names_path,
    rule_names_program,
)
from codetools.core.access import PathAccess
from codetools.core.errors import Failure
from codetools.core.path import Path

TOOLS = ("read", "write", "edit", "grep", "ls", "bash", "exec", "web_fetch")
ROOT = "/home/me/p"
Effect = Literal["allow", "deny"]


def rule(text: str, effect: Effect = "allow", *, is_users: bool = True) -> Rule:
    return parse_rule(text, effect, "config.yaml", TOOLS, is_users=is_users, anchor=ROOT)


def access(
    path: str, reached: str = "", root: str = ROOT, action: Literal["list", "read", "edit"] = "read"
) -> PathAccess:
    written = path if path.startswith("/") else f"{root}/{path}" if path else root
    target = reached if reached.startswith("/") else f"{root}/{reached}" if reached else written
    inside = written == root or written.startswith(root + "/")
    return PathAccess(action, Path(written), Path(target), inside, Path(root if inside else "/"))


def matches(text: str, effect: Effect, path: str, reached: str = "") -> bool:
    return rule_matches_path(rule(text, effect), access(path, reached))


@pytest.mark.parametrize(
    ("text", "path", "allowed", "denied"),
    [
        ("read(.env)", ".env", True, True),
        ("read(.env)", "a/b/.env", False, True),
        ("read(.env*)", ".env.local", True, True),
        ("read(secret)", "secret/a/b", False, True),
        ("read(secret/)", "x/secret/a", False, True),
        ("read(./secret)", "x/secret", False, False),
        ("read(./secret)", "secret/x", False, True),
        ("read(src/**)", "src/a/b.py", True, True),
        ("read(src/**)", "src", False, False),
        ("read(src/**)", "x/src/a", False, False),
        ("read(a/b)", "a/b/c", False, True),
        ("read(**/k)", "a/k", True, True),
        ("read(*)", "a", True, True),
        ("read(*)", "a/b", False, True),
        ("read(**)", "a/b", True, True),
        ("read(**)", "", True, True),
        ("read(**)", "/etc/passwd", False, True),
        ("read(**/passwd)", "/etc/passwd", False, False),
        ("read(passwd)", "/etc/passwd", False, True),
        ("read(/etc/**)", "/etc/passwd", True, True),
        ("read(/etc)", "/etc/passwd", False, True),
        ("read(//etc//passwd)", "/etc/passwd", True, True),
        ("read(/home/me/p/a)", "a", True, True),
        ("read(me)", "a", False, False),
        ("read(A)", "a", False, False),
        ("read", "a/b", True, True),
        ("read", "/etc/passwd", False, True),
    ],
)
def test_a_path_rule_matches(text: str, path: str, allowed: bool, denied: bool):
    assert (matches(text, "allow", path), matches(text, "deny", path)) == (allowed, denied)


def test_tilde_is_the_home_directory(home: Directory):
    text = "edit(~/notes/**)"
    assert matches(text, "allow", f"{home}/notes/a")
    assert not matches(text, "allow", "~/notes/a")


def test_a_home_with_wildcards_in_its_name_is_itself(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", "/h*me")
    assert matches("read(~/a)", "allow", "/h*me/a")
    assert not matches("read(~/a)", "allow", "/home/a")


def test_denial_holds_for_the_link_or_its_target_and_allowance_needs_both():
    assert matches("read(.env)", "deny", "link", ".env")
    assert matches("read(.env)", "deny", ".env", "other")
    assert not matches("read(src/**)", "allow", "src/link", "secret")
    assert not matches("read(src/**)", "allow", "link", "src/a")
    assert matches("read(src/**)", "allow", "src/link", "src/a")
    assert not matches("read(src/**)", "allow", "src/link", "/etc/passwd")


def test_i2_a_denied_place_is_denied_by_its_real_name_too(tmp_path: Directory, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "real" / "keys").mkdir(parents=True)
    (tmp_path / "home").symlink_to("real")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for text in ("read(~/keys/**)", f"read({tmp_path}/home/*/k)", "read(~/keys)"):
        for name in ("home", "real"):
            assert matches(text, "deny", f"{tmp_path}/{name}/keys/k"), (text, name)
        assert not matches(text, "deny", f"{tmp_path}/other/keys/k")
    assert not matches("read(~/keys/**)", "allow", f"{tmp_path}/real/keys/k")


def test_an_added_tree_is_allowed_only_by_its_absolute_path_but_denied_by_every_rule():
    other = access("src/a", root="/other")
    assert not rule_matches_path(rule("edit(src/**)"), other)
    assert not rule_matches_path(rule("edit(*)"), access("a", root="/other"))
    assert rule_matches_path(rule("edit(/other/src/**)"), other)
    assert rule_matches_path(rule("edit(src/**)", "deny"), other)
    assert rule_matches_path(rule("edit(src)", "deny"), other)


@pytest.mark.parametrize(
    ("text", "tool", "action", "expected"),
    [
        ("read(p)", "grep", "read", True),
        ("read(p)", "bash", "read", True),
        ("read(p)", "edit", "edit", False),
        ("edit(p)", "write", "edit", True),
        ("edit(p)", "grep", "read", False),
        ("write(p)", "write", "edit", True),
        ("write(p)", "edit", "edit", False),
        ("read", "grep", "read", False),
        ("edit", "write", "edit", False),
        ("edit", "edit", "edit", True),
        ("read(p)", "ls", "list", False),
        ("ls(p)", "ls", "list", True),
        ("mcp__docs__*", "mcp__docs__search", "", True),
        ("mcp__docs__*", "mcp__other__search", "", False),
        ("mcp__docs__get", "mcp__docs__get_all", "", False),
    ],
)
def test_a_rule_covers(text: str, tool: str, action: str, expected: bool):
    assert rule_covers(rule(text), tool, action) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "bash(",
        "bash()",
        "edit( )",
        "edit()",
        "(x)",
        "edit(a",
        "edit)",
        "edit (a) b",
        "read(a)\nbash",
        "read(a\0b)",
        "read(../x)",
        "read(a/../b)",
        "read(*.{a,b})",
        "bash(:*)",
        "bash(*)",
        "bash(* x:*)",
        "bash('a)",
        "mcp__",
        "mcp__x",
        "mcp__*__x",
        "mcp__*",
        "mcp__x__y(z)",
        "read(" + "x" * 5000 + ")",
    ],
)
def test_a_malformed_rule_is_a_config_failure(text: str):
    with pytest.raises(Failure) as caught:
        rule(text)
    assert caught.value.kind == "config"
    assert caught.value.message.startswith("config.yaml: ")
    assert len(caught.value.message) < 300


def test_an_unknown_tool_names_the_nearest():
    with pytest.raises(Failure) as caught:
        rule("Raed(x)", "deny")
    assert (caught.value.kind, caught.value.hint) == ("config", "Did you mean 'read'?")


def test_every_mcp_tool_can_be_denied_but_not_allowed_at_once():
    assert rule_covers(rule("mcp__*", "deny"), "mcp__a__b")


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("bash(git status)", "git status", True),
        ("bash(git status)", "git status -s", False),
        ("bash(git status:*)", "git status", True),
        ("bash(git status:*)", "git status -s x", True),
        ("bash(git status:*)", "git statusx", False),
        ("bash(git st:*)", "git status", False),
        ("bash(git)", "git status", False),
        ("bash(git:*)", "git status", True),
        ("bash(git:*)", "/tmp/git status", False),
        ("bash(npm run test:*)", "npm run test:unit", False),
        ("bash(curl http://localhost*)", "curl http://localhost:80/x", True),
        ("bash(curl http://localhost*)", "curl http://localhost -o x", False),
        ("bash(curl http://localhost*:*)", "curl http://localhost -o x", True),
        ("bash(a 'b*')", "a bc", False),
        ("bash(a 'b*')", "a b*", True),
        ("bash(a b?)", "a bc", False),
        ("bash", "anything at all", True),
        ("exec", "anything at all", False),
        ("exec(git status)", "git status", True),
        ("read", "cat x", False),
    ],
)
def test_a_command_rule_matches(text: str, words: str, expected: bool):
    assert rule_matches_command(rule(text), tuple(words.split())) == expected


def test_a_quoted_argument_is_one_word():
    assert rule_matches_command(rule("bash(git commit -m 'a b')"), ("git", "commit", "-m", "a b"))
    assert not rule_matches_command(rule("bash(git commit -m 'a b')"), ("git", "commit", "-m", "a", "b"))


def test_a_script_of_several_commands_matches_no_pattern():
    assert not rule_matches_command(rule("bash(git:*)"), None)
    assert rule_matches_command(rule("bash"), None)


def test_a_denied_program_is_known_by_its_path():
    assert rule_matches_command(rule("bash(git push:*)", "deny"), ("/usr/bin/git", "push", "x"))


@pytest.mark.parametrize(
    ("text", "is_users", "expected"),
    [
        ("edit(.git/config)", True, True),
        ("write(.git/config)", True, True),
        ("edit(/home/me/p/.git/config)", True, True),
        ("edit(.git/config)", False, False),
        ("edit(.git/*)", True, False),
        ("edit(.git/**)", True, False),
        ("edit(.git)", True, False),
        ("edit(config)", True, False),
        ("edit", True, False),
    ],
)
def test_a_protected_path_is_named_only_by_the_user_and_without_a_wildcard(text: str, is_users: bool, expected: bool):
    assert rule_names_path(rule(text, is_users=is_users), access(".git/config", action="edit")) == expected


def test_a_denial_names_nothing():
    assert not rule_names_path(rule("edit(a)", "deny"), access("a"))
    assert not rule_names_program(rule("bash(curl:*)", "deny"), "curl")


@pytest.mark.parametrize(
    ("text", "is_users", "expected"),
    [
        ("bash(curl:*)", True, True),
        ("bash(curl http://localhost*)", True, True),
        ("bash(/usr/bin/curl x)", True, True),
        ("bash(curlx:*)", True, False),
        ("bash(env curl:*)", True, False),
        ("bash(curl:*)", False, False),
        ("bash", True, False),
        ("read(curl)", True, False),
    ],
)
def test_a_banned_program_is_named_only_by_the_user(text: str, is_users: bool, expected: bool):
    assert rule_names_program(rule(text, is_users=is_users), "curl") == expected


@pytest.mark.parametrize(
    "path", ["a", "src/a b.py", "x*y/[z]", "(a)", "a)", "~/x", "~", "{a,b}.ts", "it's", "back\\slash", "#x"]
)
def test_the_narrowest_path_rule_allows_that_path_and_no_other(path: str):
    text = narrowest_path_rule("edit", access(path, action="edit"))
    assert matches(text, "allow", path)
    assert rule_names_path(rule(text), access(path, action="edit"))
    assert not matches(text, "allow", path + "x")
    assert not matches(text, "allow", "x/" + path)


def test_an_outside_path_is_suggested_whole():
    assert narrowest_path_rule("read", access("/etc/hosts")) == "read(/etc/hosts)"


@pytest.mark.parametrize("path", ["a\udcff", "a\nb", ""])
def test_a_path_that_no_rule_can_say_gets_no_suggestion(path: str):
    assert narrowest_path_rule("edit", access(path)) == ""


def test_a_link_gets_no_suggestion():
    assert narrowest_path_rule("edit", access("a", "b")) == ""


@pytest.mark.parametrize(
    "words",
    [
        ("make",),
        ("git", "commit", "-m", "it's a 'b'"),
        ("echo", "*", "a*b", "", "$x", 'q"', "\\", "a b"),
        ("npm", "run", "test:*"),
        ("x", "é"),
    ],
)
def test_the_narrowest_command_rule_allows_those_words_and_no_more(words: tuple[str, ...]):
    text = narrowest_command_rule("bash", words)
    assert rule_matches_command(rule(text), words)
    assert not rule_matches_command(rule(text), (*words, "x"))
    assert not rule_matches_command(rule(text), (*words[:-1], words[-1] + "x"))


@pytest.mark.parametrize(
    "words",
    [
        None,
        (),
        ("sudo", "ls"),
        ("env", "ls"),
        ("bash", "-c", "ls"),
        ("/bin/sh", "x"),
        ("python3.12",),
        ("python", "-c", "1"),
        ("python", "manage.py", "test"),
        ("node", "-e", "1"),
        ("xargs", "rm"),
        ("a\nb",),
    ],
)
def test_interpreters_and_wrappers_are_never_suggested(words: tuple[str, ...] | None):
    assert narrowest_command_rule("bash", words) == ""
