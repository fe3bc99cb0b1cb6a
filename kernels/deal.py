"""Turns (start, unseen cards, deal index) into a table with every place filled that the start leaves open.

The start holds what is known and, in NEED, how many cards each place still wants. Everything unseen is unknown: the
cards nobody gets are the stock, so hands, dummy, upcard and stock all share the unseen cards alike.
"""

from kernels.compile import kernel
from kernels.dice import draw, word_at
from kernels.values import AT_DUMMY, COIN, HAND, NEED, NEED_DUMMY, NEED_UP, TABLE_SIZE, UP

DRAWS_PER_WORD = 6  # 48 * 47 * ... * 43 leaves 31 spare bits: no card is favoured by more than one in a billion


@kernel
def shuffle(unseen, n, key):
    """Bring `n` cards, evenly drawn, to the front of int64[] `unseen`, in place, by the uint64 key."""
    word = key
    spare = 0
    rest = len(unseen)
    for place in range(n):
        if spare == 0:
            word = word_at(key, place)
            spare = DRAWS_PER_WORD
        spare -= 1
        k, word = draw(word, rest)
        rest -= 1
        drawn = unseen[place + k]
        unseen[place + k] = unseen[place]
        unseen[place] = drawn


@kernel
def gather(unseen, first, n):
    """int64 mask of the `n` cards of `unseen` from place `first` on."""
    mask = 0
    for place in range(first, first + n):
        mask |= unseen[place]
    return mask


@kernel
def deal(rules, start, pool, unseen, card_key, coin_key, index, table):
    """Fill `table` int64[TABLE_SIZE] in place with deal `index` (int64) of the uint64 keys.

    `start` int64[TABLE_SIZE] and `pool` int64[] (the unseen cards, one mask each) are only read; `unseen` int64[] of
    the pool's length is scratch.
    """
    for i in range(TABLE_SIZE):
        table[i] = start[i]
    for i in range(len(pool)):
        unseen[i] = pool[i]
    wanted = start[NEED_DUMMY] + start[NEED_UP]
    for seat in range(rules.n_seats):
        wanted += start[NEED + seat]
    shuffle(unseen, wanted, word_at(card_key, index))
    table[COIN] = word_at(coin_key, index) >> 1
    first = 0
    for seat in range(rules.n_seats):
        table[HAND + seat] |= gather(unseen, first, start[NEED + seat])
        first += start[NEED + seat]
    table[AT_DUMMY] |= gather(unseen, first, start[NEED_DUMMY])
    table[UP] |= gather(unseen, first + start[NEED_DUMMY], start[NEED_UP])
