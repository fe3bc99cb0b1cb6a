"""Turns a table and all the events of a record into the table after them, as far as they are legal.

One door a kind of game, called once a record: to cross the border for every card would take ten times as long.
"""

from kernels.compile import door, kernel
from kernels.steps import apply_bid_game, apply_turn_up, options_bid, options_turn_up, reneges
from kernels.values import HAND_OVER, IN_TRICK, LAY, N_TRICKS, TURN, WINNER


@door
def follow_turn_up(rules, table, steps, scratch, out_winners):
    """Move `table` int64[TABLE_SIZE] by the rows of `steps` int64[n, 3] (seat, verb, what) until one is not legal.

    Where the house rules have it, a card that breaks suit is. Returns how many were. Of twin cards either serves. The
    winners of finished tricks are written to out_winners int64[n_tricks]; scratch int64[MAX_OPTIONS, 2].
    """
    for k in range(len(steps)):
        if steps[k, 0] != table[TURN]:
            return k
        verb = steps[k, 1]
        what = legal_what(rules, scratch, options_turn_up(rules, table, scratch), verb, steps[k, 2])
        if what < 0:
            what = legal_what(rules, scratch, reneges(rules, table, scratch), verb, steps[k, 2])
        if what < 0:
            return k
        apply_turn_up(rules, table, verb, what)
        note_winner(table, verb, out_winners)
    return len(steps)


@door
def follow_bid(rules, table, steps, scratch, out_winners):
    """As follow_turn_up, in Bid Euchre."""
    for k in range(len(steps)):
        if steps[k, 0] != table[TURN]:
            return k
        verb = steps[k, 1]
        what = legal_what(rules, scratch, options_bid(rules, table, scratch), verb, steps[k, 2])
        if what < 0:
            what = legal_what(rules, scratch, reneges(rules, table, scratch), verb, steps[k, 2])
        if what < 0:
            return k
        apply_bid_game(rules, table, verb, what)
        note_winner(table, verb, out_winners)
    return len(steps)


@kernel
def legal_what(rules, options, n, verb, wanted):
    """The what of the first of `n` options that is wanted; -1 where none is. A card comes as the lower of its twins."""
    twin = (wanted & rules.lower_twins) << 1 if verb >= HAND_OVER else 0
    for k in range(n):
        if options[k, 0] == verb and (options[k, 1] == wanted or options[k, 1] & twin):
            return options[k, 1]
    return -1


@kernel
def note_winner(table, verb, out_winners):
    """Write down who won the trick that a card has just ended."""
    if verb == LAY and table[IN_TRICK] == 0:
        out_winners[table[N_TRICKS] - 1] = table[WINNER]
