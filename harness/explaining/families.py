"""Rules that one cause breaks together: an engine without en passant misses that along a pin, too."""

from __future__ import annotations

from dataclasses import dataclass

from .rules import Rule


@dataclass(frozen=True)
class RuleFamily:
    """Rules that one cause breaks where it breaks enough of the basic ones."""

    kind: str
    """What is wrong with the moves: "missing" or "extra"."""
    title: str
    basic: frozenset[Rule]
    special: frozenset[Rule]
    enough: int
    """How many of the basic rules must be broken."""

    @property
    def rules(self) -> frozenset[Rule]:
        """All rules of the family."""
        return self.basic | self.special


def _family(kind: str, title: str, basic: set[Rule], special: set[Rule], enough: int | None = None) -> RuleFamily:
    return RuleFamily(kind, title, frozenset(basic), frozenset(special), len(basic) if enough is None else enough)


FAMILIES = (
    _family(
        "extra",
        "Moves that leave the king attacked",
        {Rule.PINNED, Rule.CHECK_NOT_ANSWERED, Rule.KING_ATTACKED},
        {
            Rule.DOUBLE_CHECK,
            Rule.KING_ALONG_CHECK_LINE,
            Rule.KING_NEXT_TO_KING,
            Rule.KING_TAKES_PROTECTED,
            Rule.EN_PASSANT_PINNED,
            Rule.EN_PASSANT_UNCOVERS_RANK,
            Rule.EN_PASSANT_UNCOVERS_LINE,
            Rule.EN_PASSANT_IGNORES_CHECK,
        },
    ),
    _family(
        "extra",
        "King steps onto an attacked square",
        {Rule.KING_ATTACKED, Rule.KING_TAKES_PROTECTED},
        {Rule.KING_ALONG_CHECK_LINE, Rule.KING_NEXT_TO_KING},
    ),
    _family(
        "extra",
        Rule.CHECK_NOT_ANSWERED.title,
        {Rule.CHECK_NOT_ANSWERED},
        {Rule.DOUBLE_CHECK, Rule.EN_PASSANT_IGNORES_CHECK},
    ),
    _family("extra", Rule.PINNED.title, {Rule.PINNED}, {Rule.EN_PASSANT_PINNED}),
    _family(
        "extra",
        "Castling out of, through or into check",
        {Rule.CASTLING_IN_CHECK, Rule.CASTLING_THROUGH_CHECK, Rule.CASTLING_INTO_CHECK},
        {Rule.CASTLING_UNCOVERS_KING},
        enough=2,
    ),
    _family(
        "extra",
        "En passant that leaves the king attacked",
        {
            Rule.EN_PASSANT_UNCOVERS_RANK,
            Rule.EN_PASSANT_UNCOVERS_LINE,
            Rule.EN_PASSANT_PINNED,
            Rule.EN_PASSANT_IGNORES_CHECK,
        },
        set(),
        enough=2,
    ),
    _family(
        "missing",
        Rule.EN_PASSANT.title,
        {Rule.EN_PASSANT},
        {
            Rule.EN_PASSANT_ALONG_PIN,
            Rule.EN_PASSANT_TAKES_CHECKER,
            Rule.EN_PASSANT_BLOCKS_CHECK,
            Rule.EN_PASSANT_CLOSES_LINE,
        },
    ),
    _family(
        "missing",
        Rule.CASTLING.title,
        {Rule.CASTLING},
        {
            Rule.CASTLING_ROOK_PASSES_ATTACK,
            Rule.CASTLING_CHESS960_KING_STAYS,
            Rule.CASTLING_CHESS960_ROOK_STAYS,
            Rule.CASTLING_CHESS960_OVERLAP,
        },
    ),
    _family("missing", "Promotion", {Rule.PROMOTION_PUSH, Rule.PROMOTION_CAPTURE}, {Rule.PROMOTION_ANSWERS_CHECK}),
    _family("missing", Rule.KING_STEP.title, {Rule.KING_STEP}, {Rule.KING_TAKES_UNPROTECTED}),
    _family(
        "missing",
        Rule.PLAIN_MOVE.title,
        {Rule.PLAIN_MOVE},
        {Rule.TAKES_CHECKER, Rule.BLOCKS_CHECK, Rule.PINNED_ALONG_LINE},
    ),
)
"""Wider families come before those within them."""
