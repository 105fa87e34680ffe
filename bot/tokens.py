"""What a site says of tokens."""

from __future__ import annotations

from bot.wire import Shape


class TokenScopes(Shape):
    """What a token opens: names of scopes joined by commas."""

    user_id: str = ""
    scopes: str = ""

    @property
    def scope_names(self) -> frozenset[str]:
        """The names one by one."""
        return frozenset(name.strip() for name in self.scopes.split(",") if name.strip())


class TokenTest(Shape):
    """Tokens and what they open; None for one that the site does not know."""

    tokens: dict[str, TokenScopes | None]
