"""The questions of Euchre Lab: from what a player types to estimates that reports can print.

A question comes in at the bottom of this list and goes up through it; each room sees only those above (pyproject.toml
holds them to it, module by module):

================== ===================================================================================================
plain values       errors, cards, presets, games, rules, strategy, players (in Python)
a deal             border (values for kernels), events (their words in files), table (a deal in progress)
files              lines, refusals (what is wrong with them), files, kept (the user's cache)
what a seat knows  record (all of a deal), position, position_file, choices (what may be done), asked (a typed question)
machinery          engine (chunks on threads), views (a position as kernels take it), estimates (knows no cards),
                   winning (the game from every score), by_hand, checkpoints, cluster (deals elsewhere than in kernels)
parts of studies   trials and exact (options in worlds drawn or counted), standing (when they are enough), verdicts (the
                   sentence), batches (a study of many deals), seatings, situations (strategies at a score), hands
studies            ask, equity, solve, simulate, matches (whole games), compare, sweep
about one answer   looks (the hands behind it), bracket (asked six ways), swaps, weakest, leads (one hand after another)
commands           cli, one file each; program begins and ends it
================== ===================================================================================================
"""
