"""Turns (start, unseen cards, deal index) into a table with every place filled that the start leaves open.

The start holds what is known and, in NEED, how many cards each place still wants. Everything unseen is unknown: the
cards nobody gets are the stock, so hands, dummy, upcard and stock all share the unseen cards alike.
"""

from kernels.compile import kernel
from kernels.dice import draw, word_at
from kernels.values import AT_DUMMY, COIN, HAND, NEED, NEED_DUMMY, NEED_UP, TABLE_SIZE, UP

LAST_PLACE = 63
DRAWS_PER_WORD = 6  # 48 * 47 * ... * 43 leaves 31 spare bits: no card is favoured by more than one in a billion


@kernel
def draw_cards(unseen, drawn, n, word, key):
    """`n` more cards of the shuffle of int64[] `unseen`, whose first `drawn` places are used up; changed in place.

    Returns (mask, drawn, word): `word` is what is left of the random word under the uint64 key.
    """
    mask = 0
    for _ in range(n):
        if drawn % DRAWS_PER_WORD == 0:
            word = word_at(key, drawn)
        k, word = draw(word, len(unseen) - drawn)
        place = (drawn + k) & LAST_PLACE  # tells the compiler that it is not negative
        card = unseen[place]
        unseen[place] = unseen[drawn & LAST_PLACE]
        drawn += 1
        mask |= card
    return mask, drawn, word


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
    key = word_at(card_key, index)
    table[COIN] = word_at(coin_key, index) >> 1
    word = key
    drawn = 0
    for seat in range(rules.n_seats):
        cards, drawn, word = draw_cards(unseen, drawn, start[NEED + seat], word, key)
        table[HAND + seat] |= cards
    cards, drawn, word = draw_cards(unseen, drawn, start[NEED_DUMMY], word, key)
    table[AT_DUMMY] |= cards
    cards, drawn, word = draw_cards(unseen, drawn, start[NEED_UP], word, key)
    table[UP] |= cards
