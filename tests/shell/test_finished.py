"""What is said below a command's output."""

from codetools.shell.finished import SLOW_SECONDS, remarks_on


def test_only_a_slow_command_reports_its_time():
    how = {"was_stopped": False, "last_program": "make"}
    assert remarks_on(0, None, seconds=SLOW_SECONDS - 0.1, **how) == ""
    assert remarks_on(2, None, seconds=SLOW_SECONDS, **how) == "[exit code 2]\n[took 5.0 seconds]"


def test_a_program_that_answers_by_its_status_did_not_fail():
    how = {"was_stopped": False, "seconds": 0.1}
    assert remarks_on(1, None, last_program="diff", **how) == "[exit code 1: they differ]"
    assert remarks_on(2, None, last_program="diff", **how) == "[exit code 2]"
