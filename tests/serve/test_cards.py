"""What is kept of our tools for the list: the same as the tools themselves say, and never more than that."""

from pathlib import Path

from codetools.engine.built_in import BUILT_IN
from codetools.engine.options import ServeOptions
from codetools.engine.resident import Resident
from codetools.render.schemas import export
from codetools.serve.cards import built_in_cards
from codetools.serve.shown import listed_tools
from codetools.state.home import state_home


def test_what_is_kept_is_what_the_tools_say(workspace: Path):
    engine = Resident(ServeOptions(all=True)).engine()
    said = export([(tool, BUILT_IN.description(tool, engine.limits)) for tool in BUILT_IN.all()], "mcp")
    assert listed_tools(engine) == said  # made
    assert listed_tools(engine) == said  # kept
    assert [card.effects for card in built_in_cards(engine.home)] == [tool.effects for tool in BUILT_IN.all()]


def test_what_is_damaged_is_made_again(workspace: Path):
    made = built_in_cards(state_home())
    kept = list(Path(state_home(), "cache").glob("*tools*"))
    assert len(kept) == 1
    kept[0].write_text("0\n{}")
    assert built_in_cards(state_home()) == made


def test_without_a_place_to_keep_it_the_list_is_made(workspace: Path):
    Path(state_home()).parent.mkdir(parents=True, exist_ok=True)
    Path(state_home()).write_text("no directory")
    assert len(built_in_cards(state_home())) == len(BUILT_IN.names())
