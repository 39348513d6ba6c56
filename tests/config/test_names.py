import pytest

from codetools.config.defaults import PROTECTED, SECRETS
from codetools.config.names import NameSet

secrets, protected = NameSet(SECRETS), NameSet(PROTECTED)


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "a/.env",
        ".env.local",
        ".ENV",
        "prod.env",
        ".envrc",
        "id_rsa",
        "a/id_ed25519",
        "id_deploy",
        "id_rsa.bak",
        "server.pem",
        "Server.KEY",
        ".aws/config",
        ".ssh/known_hosts",
        ".docker/config.json",
        ".netrc",
        ".npmrc",
        "config/credentials.json",
        "secrets.yaml",
        "secrets.yml",
        ".bash_history",
        "client_secret_12.json",
        "terraform.tfstate.backup",
        ".env.example/.env",
    ],
)
def test_a_secret_is_known_by_its_name(path: str):
    assert secrets.find(f"/p/{path}", "/p")


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        ".env.example",
        "a/.env.sample",
        ".ENV.Example",
        "id_map.py",
        "id_rsa.pub",
        "environment.py",
        "key.py",
        "keys/a.txt",
        "secrets.py",
        "docker/config.json",
        "credentials.py",
        "history",
        "src/identity.ts",
    ],
)
def test_an_ordinary_name_is_no_secret(path: str):
    assert secrets.find(f"/p/{path}", "/p") is None


@pytest.mark.parametrize(
    "path",
    [
        ".git",
        ".git/config",
        ".git/hooks/pre-commit",
        ".GIT/hooks/x",
        ".gi\u200dt/config",
        "sub/.git/config",
        "bare.git/hooks/post-receive",
        ".codetools/config.yaml",
        ".envrc",
        ".mcp.json",
        ".vscode/tasks.json",
        ".idea/x",
        ".husky/pre-push",
        ".pre-commit-config.yaml",
        ".bashrc",
        "dotfiles/.ZSHRC",
        ".config/git/config",
        ".config/fish/config.fish",
        "gradle/wrapper/gradle-wrapper.properties",
        "sitecustomize.py",
        "lefthook-local.yml",
    ],
)
def test_what_runs_code_later_is_protected(path: str):
    assert protected.find(f"/p/{path}", "/p")


@pytest.mark.parametrize(
    "path",
    [
        ".gitignore",
        ".gitattributes",
        ".github/workflows/ci.yml",
        "git/config",
        "src/hooks/x.ts",
        "model.pth",
        "profile",
        "Makefile",
        ".config/app.toml",
    ],
)
def test_an_ordinary_name_is_not_protected(path: str):
    assert protected.find(f"/p/{path}", "/p") is None


def test_what_lies_above_the_root_has_no_name():
    assert secrets.find("/home/.aws/p/a.py", "/home/.aws/p") is None
    assert protected.find("/home/me/.vim/p", "/home/me/.vim/p") is None


def test_outside_every_part_has_a_name():
    assert secrets.find("/home/me/.aws/config", "/p") == ".aws"
    assert secrets.find("/home/me/.aws/config") == ".aws"


def test_the_last_pattern_that_matches_decides():
    assert NameSet(("*.key", "!pub.key")).find("/p/pub.key") is None
    assert NameSet(("*.key", "!pub.key", "pub.*")).find("/p/pub.key") == "pub.*"
    assert NameSet(("!pub.key", "*.key")).find("/p/pub.key") == "*.key"


def test_a_pattern_with_parts_matches_at_any_depth_and_an_absolute_one_at_one_place():
    names = NameSet(("a/*/c", "/etc/x*", "!/etc/xy"))
    assert names.find("/p/q/a/b/c/d", "/p") == "a/*/c"
    assert names.find("/p/a/c", "/p") is None
    assert names.find("/etc/xa/b") == "/etc/x*"
    assert names.find("/p/etc/xa", "/p") is None
    assert names.find("/etc/xy") is None


def test_no_patterns_match_nothing():
    assert NameSet(()).find("/p/.env", "/p") is None
