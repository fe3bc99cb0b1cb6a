"""Turns (seed, stream, deal index, count) into random words: counter-based, so any deal can be dealt again alone.

Every word is a splitmix64 hash of its place; nothing is carried from one deal to the next, hence neither threads nor
chunks nor the order of work can change a card. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number
generators", 2014.
"""

import numpy as np

from kernels.bits import high_product
from kernels.compile import JIT, kernel

CARDS = 1
"""Stream of the cards."""
COINS = 2
"""Stream of the strategies' own coin flips: one option or strategy never shifts a card, nor another's coin."""

if JIT:
    GOLDEN = np.uint64(0x9E3779B97F4A7C15)

    @kernel
    def mix(word):
        """The splitmix64 finalizer of an unsigned 64-bit word."""
        word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return word ^ (word >> np.uint64(31))

    @kernel
    def key_of(seed, stream):
        """uint64 key of a stream of a seed: int64, int64."""
        return mix(mix(np.uint64(seed) + GOLDEN) + np.uint64(stream) * GOLDEN)

    @kernel
    def word_at(key, place):
        """The uint64 word at an int64 place under a key; used as the key of a further level too."""
        return mix(np.uint64(key) + (np.uint64(place) + np.uint64(1)) * GOLDEN)

    @kernel
    def draw(word, n):
        """(a number below n, the rest of the word to draw from again): int64, uint64."""
        return np.int64(high_product(word, np.uint64(n))), word * np.uint64(n)

else:
    _WORD = 0xFFFFFFFFFFFFFFFF
    GOLDEN = 0x9E3779B97F4A7C15  # type: ignore[assignment]  # the twin of the word above

    def mix(word):
        """The splitmix64 finalizer of an unsigned 64-bit word."""
        word = (int(word) ^ (int(word) >> 30)) * 0xBF58476D1CE4E5B9 & _WORD
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB & _WORD
        return word ^ (word >> 31)

    def key_of(seed, stream):
        """uint64 key of a stream of a seed: int64, int64."""
        return mix((mix((int(seed) + GOLDEN) & _WORD) + int(stream) * GOLDEN) & _WORD)

    def word_at(key, place):
        """The uint64 word at an int64 place under a key; used as the key of a further level too."""
        return mix((int(key) + (int(place) + 1) * GOLDEN) & _WORD)

    def draw(word, n):
        """(a number below n, the rest of the word to draw from again): int64, uint64."""
        return (int(word) * int(n)) >> 64, int(word) * int(n) & _WORD
