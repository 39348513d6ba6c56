"""The steps of a call that does more than give files content: trees are made and removed whole, names freed first."""

from codetools.files.branch import grow
from codetools.files.content_steps import Create, Modify
from codetools.files.name_steps import Delete, Move
from codetools.files.staging import Staged
from codetools.files.step import Step
from codetools.files.tree_steps import DeleteTree, MakeTree, split_trees

SINGLE: dict[str, type[Step]] = {"create": Create, "modify": Modify, "delete": Delete, "move": Move}


def mixed_steps(staged: tuple[Staged, ...], shown: list[str]) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """Return the steps in the order in which they are made, and the step of each staged change."""
    made = split_trees(staged, ("mkdir", "create"))
    gone = split_trees(staged, ("delete", "delete"))
    tops: dict[int, tuple[type[MakeTree] | type[DeleteTree], str]] = {
        id(one): (kind, top)
        for kind, trees in ((MakeTree, made), (DeleteTree, gone))
        for top in trees
        for one in trees[top]
    }
    by_tree: dict[tuple[type[Step], str], Step] = {}
    steps: list[Step] = []
    of: list[Step] = []
    for one, name in zip(staged, shown, strict=True):
        if id(one) not in tops:
            steps.append(SINGLE[one.kind](one, name))
            of.append(steps[-1])
            continue
        kind, top = tops[id(one)]
        step = by_tree.get((kind, top))
        if step is None:
            members = (made if kind is MakeTree else gone)[top]
            root = next(member for member in members if member.location.reached == top)
            tree = grow(root, (member for member in members if member is not root))
            name_of_top = shown[next(place for place, other in enumerate(staged) if other is root)]
            step = by_tree[kind, top] = kind(tree, name_of_top)
            if kind is MakeTree:
                steps.append(step)
        if kind is DeleteTree and one.location.reached == top:
            steps.append(step)  # only now: what leaves the directory by another step has left it
        of.append(step)
    _give_room(steps)
    return tuple(steps), tuple(of)


def _give_room(steps: list[Step]) -> None:
    """Tell the steps whose name an earlier one frees."""
    freed: set[str] = set()
    for step in steps:
        path = str(step.staged.location.reached)
        step.awaits_room = step.staged.kind != "delete" and path in freed
        if step.staged.kind == "delete":
            freed.add(path)
        if step.staged.source is not None:
            freed.add(str(step.staged.source.reached))
