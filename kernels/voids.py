"""Deals the unseen cards where seats have shown voids: none gets what it cannot hold, and all that is left is alike.

Dealing blindly and throwing away what does not fit is as right, but late in the play of a large pack one deal in
300,000 may fit. So seats take their cards one after another, each of what it may hold alone, the most barred first. A
deal made so is likelier the fewer cards a seat had to choose from when its turn came; to even that out it is kept with
the chance `ways now / most ways there can be`, seat by seat, and what is kept is uniform over all deals that fit.
"""

from kernels.bits import popcount
from kernels.compile import kernel
from kernels.dice import draw, word_at
from kernels.values import AT_DUMMY, COIN, HAND, NEED, NEED_DUMMY, NEED_UP, TABLE_SIZE, UP


@kernel
def ways_to_choose(n, of):
    """Combinations of n out of `of` cards: at most 36 over 12, some 10**9; 0 where there are too few."""
    ways = 1 if of >= n else 0
    for i in range(n):
        ways = ways * (of - i) // (i + 1)
    return ways


@kernel
def nth_of(pool, cards, n):
    """The n-th card of int64[] `pool` that is in mask `cards`, from 0: in this order names of suits do not matter."""
    for i in range(len(pool)):
        if pool[i] & cards:
            if n == 0:
                return pool[i]
            n -= 1
    return 0


@kernel
def take(pool, rest, n, key, place):
    """So many cards of mask `rest`, all alike, by the words of a key from `place` on; as a mask."""
    taken = 0
    for i in range(n):
        left = rest ^ taken
        taken |= nth_of(pool, left, draw(word_at(key, place + i), popcount(left))[0])
    return taken


@kernel
def next_to_choose(start, barred, unseen, n_seats, done):
    """The seat that still wants cards and may hold fewest of mask `unseen`; -1 when all have chosen."""
    chooser, fewest = -1, 64
    for seat in range(n_seats):
        may = popcount(unseen & ~barred[seat])
        if not done >> seat & 1 and start[NEED + seat] and may < fewest:
            chooser, fewest = seat, may
    return chooser


@kernel
def taken_at_least(start, barred, unseen, n_seats, done, seat):
    """How many of the cards that `seat` may hold those of the mask `done` must have taken, whatever they took."""
    n_done = 0
    one_by_one = 0
    for other in range(n_seats):
        if done >> other & 1:
            elsewhere = popcount(unseen & ~barred[other] & barred[seat])
            n_done += start[NEED + other]
            one_by_one += max(0, start[NEED + other] - elsewhere)
    return max(one_by_one, n_done - popcount(unseen & barred[seat]))


@kernel
def deal_by_voids(rules, start, pool, barred, card_key, coin_key, index, table):
    """As deal.deal, but no seat gets a card of its mask in int64[MAX_SEATS] `barred`; False where nothing is dealt.

    Every deal that fits is as likely as any other, over all indices; the others of them deal nothing.
    """
    for i in range(TABLE_SIZE):
        table[i] = start[i]
    unseen = 0
    for i in range(len(pool)):
        unseen |= pool[i]
    key = word_at(card_key, index)
    table[COIN] = word_at(coin_key, index) >> 1
    rest = unseen
    done = 0
    for turn in range(rules.n_seats):
        seat = next_to_choose(start, barred, unseen, rules.n_seats, done)
        if seat < 0:
            break
        wants = start[NEED + seat]
        may = rest & ~barred[seat]
        of = popcount(unseen & ~barred[seat])
        most = ways_to_choose(wants, of - taken_at_least(start, barred, unseen, rules.n_seats, done, seat))
        if draw(word_at(key, 60 + turn), max(most, 1))[0] >= ways_to_choose(wants, popcount(may)):
            return False
        taken = take(pool, may, wants, key, 64 * turn + 64)
        table[HAND + seat] |= taken
        rest ^= taken
        done |= 1 << seat
    taken = take(pool, rest, start[NEED_DUMMY], key, 320)
    table[AT_DUMMY] |= taken
    table[UP] |= take(pool, rest ^ taken, start[NEED_UP], key, 384)
    return True
