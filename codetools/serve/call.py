"""One `tools/call`: made through the engine, asked about by a form where the client has one, and answered."""

import threading
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any

from codetools.core.errors import Failure
from codetools.core.outcome import Outcome
from codetools.core.tool import Tool
from codetools.engine.asking import Answer, Asker, Question
from codetools.engine.call import call, failed
from codetools.engine.engine import Engine
from codetools.engine.record import internal
from codetools.engine.resident import Resident
from codetools.mcp.protocol import message as messages
from codetools.mcp.protocol.message import Message
from codetools.mcp.protocol.revisions import (
    CAPABILITIES_KEY,
    COMPLETE,
    INPUT_REQUIRED,
    INVALID_PARAMS,
    PROGRESS_KEY,
    STATELESS,
)
from codetools.serve.elicitation import METHOD, answer_of, form_of
from codetools.serve.progress import Beat
from codetools.serve.shown import call_result
from codetools.state.home import state_home

ASK_SECONDS = 600.0  # for a person to answer
FRESH_SECONDS = 0.05  # for so long nobody looks whether the settings have changed
INPUT_KEY = "approval"
BY = "the MCP client"  # who said no


if TYPE_CHECKING:
    from typing import Protocol

    class Asked(Protocol):
        """The client as a call sees it."""

        def can(self, capability: str) -> bool:
            """Whether the client said that it has a capability."""

        def ask(
            self, method: str, params: dict[str, Any] | None, seconds: float, is_cancelled: Callable[[], bool]
        ) -> dict[str, Any]:
            """Return the client's result; raise `denied` for an error or no answer in time, or `interrupted`."""


class Refused(Exception):
    """A request that is answered by an error of the protocol."""

    def __init__(self, code: int, why: str, data: Any = None) -> None:
        super().__init__(why)
        self.code = code
        self.why = why
        self.data = data


class Call:
    """One call of one client; raises Refused where the request is none."""

    def __init__(
        self,
        resident: Resident,
        client: "Asked",
        request: Message,
        version: str,
        send: Callable[[dict[str, Any]], None],
        *,
        may_ask: bool,
    ) -> None:
        self.id = request.id
        self.name = request.params.get("name")
        self.cancelled = threading.Event()
        self._arguments = request.params.get("arguments", {})
        if not isinstance(self.name, str) or not isinstance(self._arguments, dict):
            raise Refused(INVALID_PARAMS, "tools/call takes the name of a tool and an object of arguments")
        self._engine = resident.engine()
        self._came_at = monotonic()
        self.is_safe = self._shown_tool().effects.concurrency_safe
        self._resident = resident
        self._client = client
        self._params = request.params
        self._is_stateless = version in STATELESS
        self._may_ask = may_ask
        meta = request.params.get("_meta")
        self._meta: dict[str, Any] = meta if isinstance(meta, dict) else {}
        token = self._meta.get(PROGRESS_KEY)
        self._beat = Beat(token, send) if isinstance(token, str | int) else None
        self._has_new_rule = False

    def answer(self) -> dict[str, Any] | None:
        """Make the call; return the message that answers it, or None where it was cancelled."""
        try:
            result = self.result()
        except Refused as refused:
            return messages.error(self.id, refused.code, refused.why, refused.data)
        return None if result is None else messages.result(self.id, result)

    def result(self) -> dict[str, Any] | None:
        """Make the call; return its result, or None where it was cancelled; raise Refused for a state of nobody's."""
        try:
            result = self._result()
            if self._has_new_rule:
                self._resident.renew()
        except Failure as failure:
            result = call_result(failed(self.name, failure))
        except Refused:
            raise
        except Exception as error:  # noqa: BLE001  the one broad catch of this door: somebody waits for the answer
            result = call_result(failed(self.name, internal(state_home(), error)))
        if self.cancelled.is_set():
            return None
        return {"resultType": COMPLETE, **result} if self._is_stateless else result

    def _shown_tool(self) -> Tool:
        """Return the tool; refuse a name that none has, or that policy hides, in words that the model can act on."""
        try:
            tool = self._engine.registry.find(self.name)
        except Failure as failure:
            raise Refused(INVALID_PARAMS, f"Unknown tool: {failure.line()}") from None
        if self._engine.policy.hides(tool):
            raise Refused(INVALID_PARAMS, f"Unknown tool: {self.name} is denied by the settings.")
        return tool

    def _current(self) -> Engine:
        """Return the engine there is now: while the call waited for its turn, roots or settings may have changed."""
        has_waited = monotonic() - self._came_at > FRESH_SECONDS
        self._engine = self._resident.engine() if has_waited else self._resident.last_engine
        return self._engine

    def _result(self) -> dict[str, Any]:
        if self.cancelled.is_set():
            return {}
        if not self._is_stateless:
            asker = self._ask if self._may_ask and self._client.can("elicitation") else None
            return call_result(self._made(self._current(), asker))
        answers = self._params.get("inputResponses")
        given = answers.get(INPUT_KEY) if isinstance(answers, dict) else None
        if given is not None and self._may_ask:
            return call_result(self._decided(answer_of(given)))
        return self._asked_back(self._made(self._current(), None))

    def _made(self, engine: Engine, asker: Asker | None) -> Outcome:
        return call(
            engine,
            self.name,
            self._arguments,
            asker=asker,
            emit=self._beat.output if self._beat else None,
            progress=self._beat.count if self._beat else None,
            is_cancelled=self._is_cancelled,
        )

    def _is_cancelled(self) -> bool:
        """Whether the client has cancelled it; asked again and again by what takes long, which so is told to go on."""
        if self._beat is not None:
            self._beat.beat()
        return self.cancelled.is_set()

    def _ask(self, question: Question) -> Answer:
        """Ask the person behind the client, while the call waits."""
        form = form_of(question, has_session=self._engine.session is not None)
        answer = answer_of(self._client.ask(METHOD, form, ASK_SECONDS, self.cancelled.is_set))
        self._has_new_rule |= answer in ("session", "always")
        return answer

    def _asked_back(self, outcome: Outcome) -> dict[str, Any]:
        """Return the outcome, or the question that has to be answered before the call is made again."""
        failure = outcome.failure
        capabilities = self._meta.get(CAPABILITIES_KEY)
        can_ask = isinstance(capabilities, dict) and isinstance(capabilities.get("elicitation"), dict)
        if failure is None or failure.kind != "approval_required" or not (can_ask and self._may_ask):
            return call_result(outcome)
        waiting = failure.details["approval"]
        question = Question(
            outcome.tool, waiting["operation"], waiting["preview"], "", reason=waiting.get("reason", "")
        )
        form = {"method": METHOD, "params": {"mode": "form", **form_of(question, has_session=False)}}
        return {"resultType": INPUT_REQUIRED, "inputRequests": {INPUT_KEY: form}, "requestState": waiting["id"]}

    def _decided(self, answer: Answer) -> Outcome:
        """Make the call under the approval that the person's answer speaks of: exactly that call, once."""
        from codetools.state.approvals import ApprovalStore

        engine = self._current()
        approvals = ApprovalStore(engine.store())
        approval = self._params.get("requestState")
        if not isinstance(approval, str) or approvals.find(approval) is None:
            raise Refused(INVALID_PARAMS, "requestState is none that was given out with a question")
        if answer == "deny":
            approvals.mark_denied(approval, BY)
            return failed(self.name, Failure("denied", f"{self.name}: the person asked said no."))
        return self._made(engine.but(options=engine.options.but(approve=approval)), None)
