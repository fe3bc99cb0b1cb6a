"""The cards on the table: numba kernels over integers and arrays of integers, no Python objects.

The array contract, whose places and words are named in `kernels.values`, `kernels.vector`, `kernels.doors` and
`kernels.batches`:

========== ====================================== =====================================================
value      element type, shape                    meaning
========== ====================================== =====================================================
mask       int64                                  cards, a lane of 16 bits a suit; printed or trump order
card       int64                                  a mask of one bit
rules      record of int64 (values.Rules)         the game and its house rules
players    int64 (4 + S * BLOCK,)                 seats -> strategies; numbers in hundredths, worth tables
table      int64 (TABLE_SIZE,)                    one deal in progress; changed in place by one event at a time
event      verb int64, what int64                 what the seat in TURN says or does; cards as printed
options    int64 (MAX_OPTIONS, 2)                 events: verb, what
seeded     doors.Seeded                           a start, the unseen cards, a seed: deals by their index
question   doors.Question                         a decision, in eight views that differ by names of suits
payoffs    codes int64, see worlds.Question       what a deal can pay: maker's side and points, numbered from 0
counts     batches.Counts                         integer counts of deals played
rows       int64 (n, batches.N_COLUMNS)           deals one by one: what was called and what came of it
tally      doors.Tally                            integer counts and sums of what came of each option
memory     memory.Memory                          open positions the solver has met; one a thread
========== ====================================== =====================================================

Seats count from 0, the dealer's left; the dealer is last. Outputs are named out_...; nothing is allocated, raised or
printed within. The rules of play stand in `steps` and below it, once.
"""
