from codetools.shell.environment import GIT_ALONE, approved_environment, reading_environment

ORDINARY = {
    "PATH": "/opt/venv/bin:/usr/bin",
    "HOME": "/home/me",
    "VIRTUAL_ENV": "/opt/venv",
    "LD_LIBRARY_PATH": "/opt/lib",
    "PYTHONPATH": "/opt/py",
    "SSH_AUTH_SOCK": "/run/agent",
    "TOKENIZERS_PARALLELISM": "1",
    "KEYBOARD": "us",
    "PWD": "/home/me",
    "GIT_AUTHOR_NAME": "Me",
    "LANG": "C.UTF-8",
}


def test_an_approved_command_gets_the_callers_environment():
    environment = approved_environment(ORDINARY, ())
    assert {name: environment.variables[name] for name in ORDINARY} == ORDINARY
    assert environment.dropped == ()


def test_secrets_are_dropped_by_name_and_by_value():
    secrets = {
        "GITHUB_TOKEN": "x",
        "AWS_SECRET_ACCESS_KEY": "x",
        "OPENAI_API_KEY": "x",
        "db_password": "x",
        "MYSECRET": "x",
        "A": "ghp_" + "a" * 36,
        "B": "sk-" + "a" * 40,
        "C": "AKIA" + "A" * 16,
        "D": "postgres://me:pass@host/db",
        "E": "-----BEGIN RSA PRIVATE KEY-----",
    }
    environment = approved_environment({**ORDINARY, **secrets}, ())
    assert environment.dropped == tuple(sorted(secrets))
    assert not set(secrets) & set(environment.variables)


def test_what_the_user_keeps_is_kept():
    environment = approved_environment({"AWS_PROFILE": "p", "AWS_SECRET_KEY": "k", "NPM_TOKEN": "t"}, ("AWS_*",))
    assert environment.variables["AWS_SECRET_KEY"] == "k"
    assert environment.dropped == ("NPM_TOKEN",)


def test_shell_start_up_hooks_are_dropped_even_when_kept():
    hooks = {"BASH_ENV": "x", "ENV": "x", "PROMPT_COMMAND": "x", "BASH_FUNC_ls%%": "() { x; }", "SHELLOPTS": "xtrace"}
    assert approved_environment(hooks, ("*",)).dropped == tuple(sorted(hooks))


def test_i8_path_loses_empty_and_relative_elements():
    assert approved_environment({"PATH": ":.:bin:/usr/bin::/opt/x"}, ()).variables["PATH"] == "/usr/bin:/opt/x"
    assert "/usr/bin" in approved_environment({}, ()).variables["PATH"].split(":")


def test_nothing_waits_for_a_person():
    variables = approved_environment({"PAGER": "less", "EDITOR": "vi"}, ()).variables
    assert (variables["PAGER"], variables["GIT_PAGER"], variables["GIT_TERMINAL_PROMPT"]) == ("cat", "cat", "0")
    assert (variables["EDITOR"], variables["VISUAL"], variables["CODETOOLS_LOCK"]) == ("false", "false", "1")


def test_a_reading_command_gets_language_and_nothing_that_loads_code():
    caller = {
        **ORDINARY,
        "LC_ALL": "de_DE.UTF-8",
        "LC_CTYPE": "../../evil",
        "TZ": ":/etc/shadow",
        "LD_PRELOAD": "x.so",
        "GIT_DIR": "x",
        "BASH_FUNC_ls%%": "() { x; }",
        "RIPGREP_CONFIG_PATH": "x",
    }
    variables = reading_environment(caller).variables
    assert set(variables) == {"LANG", "LC_ALL", "PATH", "TERM", *GIT_ALONE}
    assert "GIT_DIR" not in variables
    assert "/opt/venv/bin" not in variables["PATH"]
