"""The MCP servers of the settings."""

from pathlib import Path

import pytest

from codetools.config.load import Config, load_config
from codetools.config.servers import server_of, shown
from codetools.config.settings import McpServer
from codetools.core.errors import Failure
from codetools.state.trust import trust

KNOWN = ("read",)


def load(home: Path, user: str, project: str = "", *, is_trusted: bool = False) -> Config:
    root = home / "ws"
    (root / ".codetools").mkdir(parents=True, exist_ok=True)
    (home / "config.yaml").write_text(user)
    if project:
        path = root / ".codetools" / "config.yaml"
        path.write_text(project)
        if is_trusted:
            from hashlib import sha256

            trust(str(home / "state"), str(path), sha256(path.read_bytes()).hexdigest())
    return load_config(str(home / "state"), str(root), str(home / "config.yaml"), (), (), lambda: KNOWN)


def test_servers_are_read_by_name(tmp_path: Path):
    text = "mcp: {docs: {command: serve, args: [-x], env: {A: $A}}, web: {url: 'https://h/m', timeout_seconds: 5}}"
    for _ in range(2):  # the second time from the cache
        assert load(tmp_path, text).settings.mcp == (
            McpServer("docs", command="serve", args=("-x",), env={"A": "$A"}),
            McpServer("web", url="https://h/m", timeout_seconds=5.0),
        )


def test_a_project_adds_no_server_before_it_is_trusted_i1(tmp_path: Path):
    user, project = "mcp: {docs: {command: serve}}", "mcp: {docs: {command: evil}, more: {command: evil}}"
    config = load(tmp_path, user, project)
    assert [server.command for server in config.settings.mcp] == ["serve"]
    assert "mcp.docs, mcp.more (it needs trust" in config.notices[0].message
    trusted = load(tmp_path, user, project, is_trusted=True)
    assert [server.command for server in trusted.settings.mcp] == ["evil", "evil"]


def test_a_server_counts_whole_so_that_no_project_gets_the_users_secrets(tmp_path: Path):
    user = "mcp: {docs: {command: serve, env: {TOKEN: secret}}}"
    config = load(tmp_path, user, "mcp: {docs: {command: other}}", is_trusted=True)
    assert config.settings.mcp == (McpServer("docs", command="other"),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mcp: [1]", "holds no servers"),
        ("mcp: {a__b: {command: x}}", "'a__b' is not made of"),
        ("mcp: {a: {}}", "needs either a command or a url"),
        ("mcp: {a: {command: x, url: y}}", "needs either a command or a url"),
        ("mcp: {a: {url: y, args: [z]}}", "has no meaning beside a url"),
        ("mcp: {a: {command: x, transport: http}}", "but it has a command"),
        ("mcp: {a: {command: ./x}}", "another one in every project"),
        ("mcp: {a: {comand: x}}", "unknown setting 'mcp.a.comand'"),
        ("mcp: {a: {name: x, command: x}}", "unknown setting 'mcp.a.name'"),
        ("mcp: {a: {command: x, env: {A: 1}}}", "is not one line of text"),
        ("mcp: {a: {command: x, env: {A=B: x}}}", "no name of an environment variable"),
        ("mcp: {a: {command: x, env: [1]}}", "mcp.a.env is a list, not a mapping"),
        ("mcp: {a: {command: x, timeout_seconds: 0}}", "the least is 0.1"),
        ('mcp: {a: {url: x, headers: {"a b": x}}}', "no name of a header"),
        ('mcp: {a: {url: x, headers: {"x": "a\\nb"}}}', "is not one line of text"),
        ("mcp: {a: {url: x, headers: {Mcp-Session-Id: x}}}", "is the client's own"),
        ("mcp: {a: {command: x}, A: {command: y}}", "differ too little"),
    ],
)
def test_a_server_that_is_none_is_an_error_with_its_place(text: str, said: str, tmp_path: Path):
    with pytest.raises(Failure) as raised:
        load(tmp_path, text)
    assert raised.value.kind == "config"
    assert "config.yaml:1:" in raised.value.message
    assert said in raised.value.message


def test_what_may_be_secret_is_not_shown():
    values = {"url": "https://h/m", "headers": {"A": "$TOKEN", "B": "${TOKEN}", "C": "Bearer x", "D": "$x9y"}}
    assert shown(server_of("a", values))["headers"] == {
        "A": "$TOKEN",
        "B": "${TOKEN}",
        "C": "(hidden)",
        "D": "(hidden)",
    }
