"""The two models there are, what they can do and what they cost."""

from typing import Any

Model = dict[str, Any]

LEVELS = ("off", "minimal", "low", "medium", "high")
DEFAULT_LEVEL = "medium"
API = "demo"


def _model(provider: str, id_: str, name: str, *, reasoning: bool, window: int, prices: tuple[float, ...]) -> Model:
    return {
        "id": id_,
        "name": name,
        "api": API,
        "provider": provider,
        "baseUrl": "http://localhost:0",
        "reasoning": reasoning,
        "input": ["text", "image"],
        "cost": dict(zip(("input", "output", "cacheRead", "cacheWrite"), prices, strict=True)),
        "contextWindow": window,
        "maxTokens": 16384,
    }


SCRIPTED = (
    _model("lab", "script", "Lab Script", reasoning=True, window=200_000, prices=(3, 15, 0.3, 3.75)),
    _model("lab", "plain", "Lab Plain", reasoning=False, window=32_000, prices=(0, 0, 0, 0)),
)
SHOWN = (
    _model("demo", "thoughtful", "Demo Thoughtful", reasoning=True, window=200_000, prices=(3, 15, 0.3, 3.75)),
    _model("demo", "quick", "Demo Quick", reasoning=False, window=32_000, prices=(0.5, 2, 0.05, 0.6)),
)


def levels(model: Model) -> tuple[str, ...]:
    return LEVELS if model["reasoning"] else LEVELS[:1]


def usage(model: Model, prompt: int, cached: int, output: int) -> dict[str, Any]:
    """The usage of a request: `prompt` tokens, `cached` of them read from the cache and the rest written to it."""
    tokens = {"input": 0, "output": output, "cacheRead": cached, "cacheWrite": prompt - cached}
    cost = {kind: tokens[kind] * price / 1_000_000 for kind, price in model["cost"].items()}
    return {**tokens, "totalTokens": prompt + output, "cost": {**cost, "total": sum(cost.values())}}


NO_USAGE: dict[str, Any] = {
    "input": 0,
    "output": 0,
    "cacheRead": 0,
    "cacheWrite": 0,
    "totalTokens": 0,
    "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0},
}
