import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from codetools.config.defaults import EXCLUDES, SECRETS
from codetools.config.load import Config, load_config
from codetools.config.settings import Settings
from codetools.core.errors import Failure
from codetools.state.home import state_home
from codetools.state.trust import trust

TOOLS = ("read", "write", "edit", "grep", "bash")


def load(
    root: Path | None, config: str | None = None, allow: tuple[str, ...] = (), deny: tuple[str, ...] = ()
) -> Config:
    return load_config(state_home(), str(root) if root else None, config, allow, deny, lambda: TOOLS)


def failure(*arguments: Any, **named: Any) -> Failure:
    with pytest.raises(Failure) as caught:
        load(*arguments, **named)
    return caught.value


@pytest.fixture
def user(home: Path) -> Path:
    path = home / ".config" / "codetools" / "config.yaml"
    path.parent.mkdir(parents=True)
    return path


@pytest.fixture
def project(workspace: Path) -> Path:
    (workspace / ".codetools").mkdir()
    return workspace / ".codetools" / "config.yaml"


def rules(config: Config) -> list[tuple[str, str, str]]:
    return [(rule.effect, rule.text, os.path.basename(rule.origin)) for rule in config.rules]


def trust_it(path: Path) -> None:
    from hashlib import sha256

    trust(state_home(), str(path), sha256(path.read_bytes()).hexdigest())


def test_without_files_the_defaults_hold_and_nothing_is_made(workspace: Path):
    config = load(workspace)
    assert config.settings == Settings()
    assert (config.rules, config.origins, config.notices) == ((), (), ())
    assert not os.path.exists(state_home())


def test_layers_add_up_and_each_value_knows_its_origin(user: Path, project: Path, workspace: Path):
    user.write_text("denied_tools: ['read(a)']\nlimits: {read_lines: 500, grep_matches: 90}\nyolo: true\n")
    project.write_text("denied_tools: ['read(b)']\nlimits: {read_lines: 100}\n")
    config = load(workspace, deny=("read(c)",), allow=("edit(d)",))
    assert rules(config) == [
        ("deny", "read(a)", "config.yaml"),
        ("deny", "read(b)", "config.yaml"),
        ("allow", "edit(d)", "command line"),
        ("deny", "read(c)", "command line"),
    ]
    assert (config.settings.limits.read_lines, config.settings.limits.grep_matches) == (100, 90)
    assert config.settings.yolo
    found = [config.origin(key) for key in ("limits.read_lines", "limits.grep_matches", "yolo", "images")]
    assert found == [str(project), str(user), str(user), "default"]


def test_i1_an_untrusted_project_only_tightens(user: Path, project: Path, workspace: Path):
    user.write_text("limits: {read_lines: 500}\n")
    project.write_text(
        "allowed_tools: [bash]\nyolo: true\nroots: [/etc]\nimages: true\nshell: {keep_env: [AWS_*]}\n"
        "limits: {read_lines: 600, grep_matches: 10, journal_days: 1, journal_bytes: 0}\n"
        "secrets: ['!.env*', token]\nprotected: ['!.git', ci]\nbanned_commands: ['!curl', make]\n"
        "search: {exclude: ['!.git', gen]}\n"
    )
    config = load(workspace)
    settings = config.settings
    assert config.rules == ()
    assert (settings.yolo, settings.roots, settings.shell.keep_env) == (False, (), ())
    assert (settings.limits.read_lines, settings.limits.grep_matches) == (500, 10)
    assert (settings.limits.journal_days, settings.limits.journal_bytes) == (30, 2 << 30)
    assert settings.secrets == (*SECRETS, "token")
    assert "!.git" not in settings.protected
    assert "ci" in settings.protected
    assert "curl" in settings.banned_commands
    assert "make" in settings.banned_commands
    assert settings.search.exclude == (*EXCLUDES, "gen")
    [notice] = config.notices
    for key in (
        "allowed_tools",
        "yolo",
        "roots",
        "limits.read_lines",
        "shell.keep_env",
        "limits.journal_days",
        "secrets",
    ):
        assert key in notice.message


def test_a_trusted_project_may_loosen_but_never_yolo_or_roots(project: Path, workspace: Path):
    project.write_text(
        "allowed_tools: [bash]\nyolo: true\nroots: [/etc]\nlimits: {read_lines: 9000}\nsecrets: ['!.env*']\n"
    )
    trust_it(project)
    config = load(workspace)
    assert rules(config) == [("allow", "bash", "config.yaml")]
    assert not config.rules[0].is_users, "a project's word is not the user's"
    assert config.settings.limits.read_lines == 9000
    assert config.settings.secrets[-1] == "!.env*"
    assert (config.settings.yolo, config.settings.roots) == (False, ())
    assert [origin.key for origin in config.origins if not origin.is_applied] == ["yolo", "roots"]


def test_i1_one_changed_byte_ends_the_trust(project: Path, workspace: Path):
    project.write_text("allowed_tools: [bash]\n")
    trust_it(project)
    assert len(load(workspace).rules) == 1
    project.write_text("allowed_tools: [bash]\n\n")
    assert load(workspace).rules == ()


def test_trust_is_for_one_place(project: Path, workspace: Path, tmp_path: Path):
    project.write_text("allowed_tools: [bash]\n")
    trust_it(project)
    other = tmp_path / "copy"
    workspace.rename(other)
    assert load(other).rules == ()


def test_a_project_moves_a_choice_only_to_a_tighter_one(user: Path, project: Path, workspace: Path):
    project.write_text("shell: {sandbox: require, network: true}\n")
    user.write_text("shell: {sandbox: workspace}\n")
    settings = load(workspace).settings
    assert (settings.shell.sandbox, settings.shell.network) == ("require", False)
    project.write_text("shell: {sandbox: auto}\n")
    assert load(workspace).settings.shell.sandbox == "workspace"


def test_a_project_turns_images_off_not_on(user: Path, project: Path, workspace: Path):
    project.write_text("images: false\n")
    assert not load(workspace).settings.images
    user.write_text("images: false\n")
    project.write_text("images: true\n")
    assert not load(workspace).settings.images


def test_the_user_takes_defaults_back(user: Path, workspace: Path):
    user.write_text("banned_commands: ['!curl']\nsearch: {exclude: ['!dist', mine]}\nsecrets: ['!.npmrc']\n")
    settings = load(workspace).settings
    assert "curl" not in settings.banned_commands
    assert settings.search.exclude == (*(name for name in EXCLUDES if name != "dist"), "mine")
    assert settings.secrets[-1] == "!.npmrc"


def test_the_environment_speaks_after_the_files(user: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch):
    user.write_text("yolo: false\nimages: true\n")
    monkeypatch.setenv("CODETOOLS_YOLO", "1")
    monkeypatch.setenv("CODETOOLS_IMAGES", "0")
    config = load(workspace)
    assert (config.settings.yolo, config.settings.images) == (True, False)
    assert (config.origin("yolo"), config.origin("images")) == ("CODETOOLS_YOLO", "CODETOOLS_IMAGES")


def test_an_environment_that_means_nothing_is_refused(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CODETOOLS_YOLO", "maybe")
    assert failure(workspace).kind == "config"


def test_another_file_stands_in_for_the_users_own(user: Path, workspace: Path, tmp_path: Path):
    user.write_text("yolo: true\n")
    other = tmp_path / "other.yaml"
    other.write_text("images: false\n")
    config = load(workspace, str(other))
    assert (config.settings.yolo, config.settings.images) == (False, False)


def test_i1_a_relative_settings_file_of_the_environment_is_refused(workspace: Path, monkeypatch: pytest.MonkeyPatch):
    (workspace / "config.yaml").write_text("yolo: true\n")
    monkeypatch.setenv("CODETOOLS_CONFIG", "config.yaml")
    assert failure(workspace).kind == "config"
    assert load(workspace, config="config.yaml").settings.yolo


def test_the_environment_names_another_file(workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "other.yaml").write_text("images: false\n")
    monkeypatch.setenv("CODETOOLS_CONFIG", str(tmp_path / "other.yaml"))
    assert not load(workspace).settings.images


def test_a_named_file_must_exist(workspace: Path, tmp_path: Path):
    found = failure(workspace, str(tmp_path / "none.yaml"))
    assert (found.kind, "none.yaml" in found.message) == ("config", True)


def test_without_a_workspace_no_project_is_read(project: Path):
    project.write_text("broken: [")
    assert load(None).settings == Settings()


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("denied_tols: []", ":1:1", "'denied_tols'"),
        ("limits: {read_line: 1}", ":1:10", "'limits.read_line'"),
        ("yolo: yes", ":1:1", "not true or false"),
        ("yolo: 'true'", ":1:1", "not true or false"),
        ("limits: {read_lines: 0}", ":1:10", "the least is 1"),
        ("limits: {read_lines: '5'}", ":1:10", "whole number"),
        ("limits: {read_lines: 1.5}", ":1:10", "whole number"),
        ("limits: {read_lines: true}", ":1:10", "whole number"),
        ("limits: 5", ":1:1", "'limits'"),
        ("denied_tools: read", ":1:1", "a list"),
        ("denied_tools:\n  - read\n  - 1", ":3:5", "entry 2"),
        ("denied_tools:\n  - Read", ":2:5", "unknown tool 'Read'"),
        ("allowed_tools: ['edit()']", ":1:17", "empty"),
        ("roots: [relative]", ":1:9", "not absolute"),
        ("secrets: ['']", ":1:11", "empty"),
        ("- a", ":1:1", "not settings"),
        ("text", ":1:1", "not settings"),
        ("a: &x b", ":1:4", "anchors"),
        ("yolo: true\nyolo: false", ":2:1", "twice"),
    ],
)
@pytest.mark.parametrize("layer", ["user", "project"])
def test_i7_a_broken_file_is_refused_with_file_line_and_column(
    user: Path, project: Path, workspace: Path, layer: str, text: str, where: str, what: str
):
    path = user if layer == "user" else project
    path.write_text(text)
    for _ in range(2):  # also when something may have been remembered
        found = failure(workspace)
        assert found.kind == "config"
        assert found.message.startswith(f"{path}{where}: ")
        assert what in found.message


def test_an_unknown_key_names_the_nearest(user: Path, workspace: Path):
    user.write_text("limits: {read_line: 1}")
    assert failure(workspace).hint == "Did you mean 'limits.read_lines'?"


def test_a_broken_rule_on_the_command_line_is_usage(workspace: Path):
    assert failure(workspace, allow=("Read",)).kind == "usage"


def spoil(path: Path, how: str) -> None:
    if how == "FIFO":
        os.mkfifo(path)
    elif how == "directory":
        path.mkdir()
    elif how == "device":
        path.symlink_to("/dev/zero")
    elif how == "huge":
        with path.open("wb") as file:
            file.truncate(1 << 30)
    elif how == "not UTF-8":
        path.write_bytes(b"yolo: \xff")
    elif how == "dangling":
        path.symlink_to("nothing")
    elif how == "loop":
        path.symlink_to(path.name)


@pytest.mark.parametrize("how", ["FIFO", "directory", "device", "huge", "not UTF-8", "dangling", "loop"])
@pytest.mark.parametrize("layer", ["user", "project", "allowed", "chosen"])
def test_i6_a_file_that_is_no_settings_file_is_refused_at_once(
    user: Path, project: Path, workspace: Path, tmp_path: Path, layer: str, how: str
):
    paths = {"user": user, "project": project, "allowed": user.with_name("allowed.yaml"), "chosen": tmp_path / "c.yaml"}
    spoil(paths[layer], how)
    started = time.monotonic()
    found = failure(workspace, str(paths[layer]) if layer == "chosen" else None)
    assert time.monotonic() - started < 1
    assert found.kind == "config"
    assert str(paths[layer]) in found.message


def test_an_unreadable_file_is_no_permission_to_go_on(user: Path, workspace: Path):
    user.write_text("denied_tools: [read]\n")
    user.chmod(0)
    code = (
        "import os, sys\n"
        "from codetools.config.load import load_config\n"
        "from codetools.core.errors import Failure\n"
        "os.getuid() or os.seteuid(65534)\n"
        "try: load_config(sys.argv[1], None, sys.argv[2], (), (), tuple)\n"
        "except Failure as failure: print(failure.kind)\n"
    )
    directory: Path | None = user.parent
    while directory and directory != directory.parent and directory.name != "tmp":
        directory.chmod(0o755)
        directory = directory.parent
    found = subprocess.run([sys.executable, "-c", code, state_home(), str(user)], capture_output=True, text=True)
    assert found.stdout == "config\n", found.stderr


def test_a_users_file_may_be_a_link(user: Path, workspace: Path, tmp_path: Path):
    (tmp_path / "dotfiles.yaml").write_text("images: false\n")
    user.symlink_to(tmp_path / "dotfiles.yaml")
    assert not load(workspace).settings.images


def test_i3_a_projects_file_is_no_link_and_its_failure_quotes_nothing_behind_one(
    project: Path, workspace: Path, tmp_path: Path
):
    (tmp_path / "outside.yaml").write_text("images: false\n")
    project.symlink_to(tmp_path / "outside.yaml")
    assert failure(workspace).kind == "config"
    project.unlink()
    (workspace / ".env").write_text("KEY=hidden\n")
    project.symlink_to("../.env")
    assert failure(workspace).kind == "config"
    assert "hidden" not in failure(workspace).message
    project.unlink()
    (workspace / "aside").mkdir()
    (workspace / "aside/config.yaml").symlink_to("../.env")
    project.parent.rmdir()
    project.parent.symlink_to("aside")
    assert "hidden" not in failure(workspace).message


def test_a_file_in_place_of_the_projects_directory_is_no_config(workspace: Path):
    (workspace / ".codetools").write_text("")
    assert load(workspace).settings == Settings()


def test_allowed_yaml_holds_rules_and_nothing_else(user: Path, workspace: Path):
    allowed = user.with_name("allowed.yaml")
    allowed.write_text("allowed_tools: ['edit(a)']\n")
    config = load(workspace)
    assert rules(config) == [("allow", "edit(a)", "allowed.yaml")]
    assert config.rules[0].is_users
    allowed.write_text("yolo: true\n")
    assert failure(workspace).kind == "config"


def test_i1_no_allowed_yaml_of_the_workspace_is_read(workspace: Path):
    (workspace / "ci.yaml").write_text("images: false\n")
    (workspace / "allowed.yaml").write_text("allowed_tools: [bash]\n")
    config = load(workspace, str(workspace / "ci.yaml"))
    assert (config.rules, config.allowed_path) == ((), None)


def test_no_allowed_yaml_is_read_where_others_can_write(workspace: Path, tmp_path: Path):
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "c.yaml").write_text("images: false\n")
    (shared / "allowed.yaml").write_text("allowed_tools: [bash]\n")
    assert len(load(workspace, str(shared / "c.yaml")).rules) == 1
    shared.chmod(0o777)
    assert load(workspace, str(shared / "c.yaml")).rules == ()


def test_the_users_files_are_private_wherever_links_lead(user: Path, home: Path, workspace: Path, tmp_path: Path):
    user.parent.rmdir()
    (tmp_path / "dots").mkdir()
    user.parent.symlink_to(tmp_path / "dots")
    assert load(workspace).private == (str(user.parent), str(tmp_path / "dots"))


def test_sources_tell_what_was_looked_for(user: Path, project: Path, workspace: Path):
    project.write_text("images: false\n")
    found = [
        (source.layer, source.path, source.sha256 is not None, source.is_trusted) for source in load(workspace).sources
    ]
    assert found == [
        ("user", str(user), False, True),
        ("allowed", str(user.with_name("allowed.yaml")), False, True),
        ("project", str(project), True, False),
    ]


def test_rules_are_anchored_at_the_workspace(workspace: Path):
    assert [rule.anchor for rule in load(workspace, allow=("edit(a)",)).rules] == [str(workspace)]


def test_a_project_turns_the_need_to_read_on_not_off(user: Path, project: Path, workspace: Path):
    project.write_text("edit: {require_read: true}\n")
    assert load(workspace).settings.edit.require_read
    user.write_text("edit: {require_read: true}\n")
    project.write_text("edit: {require_read: false}\n")
    assert load(workspace).settings.edit.require_read


@pytest.mark.parametrize("name", ["windows-1521", "rot13", "no such"])
def test_a_wrong_encoding_is_a_problem_of_the_settings(user: Path, workspace: Path, name: str):
    user.write_text(f"images: true\nencoding: {name}\n")
    with pytest.raises(Failure) as caught:
        load(workspace)
    assert (caught.value.kind, caught.value.exit_code) == ("config", 78)
    assert f"config.yaml:2:1: encoding: {name!r} is not the name of a text encoding" in caught.value.message


@pytest.mark.parametrize("name", ["windows-1251", "UTF-8-BOM", "shift_jis", "''"])
def test_an_encoding_goes_by_any_of_its_names(user: Path, workspace: Path, name: str):
    user.write_text(f"encoding: {name}\n")
    assert load(workspace).settings.encoding == name.strip("'")
