"""Turns masks into counts and positions: the bit operations that machine words have and Python lacks.

Each is one machine instruction through LLVM; with the JIT off, plain Python of the same meaning takes its place.
"""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from kernels.compile import JIT


def _count(name: str, *flags: int) -> Any:
    """An intrinsic that calls the LLVM instruction `name` on one 64-bit integer."""

    @intrinsic
    def count(typingctx: Any, mask: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = ir.IntType(64)
            kinds = [word] + [ir.IntType(1)] * len(flags)
            function = builder.module.declare_intrinsic(name, (word,), ir.FunctionType(word, kinds))
            return builder.call(function, [args[0], *(ir.Constant(ir.IntType(1), flag) for flag in flags)])

        return types.int64(types.int64), codegen

    return count


@intrinsic
def _high_product(typingctx: Any, a: Any, b: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), codegen


if JIT:
    popcount = _count("llvm.ctpop")
    low_bit = _count("llvm.cttz", 0)
    leading_zeros = _count("llvm.ctlz", 0)
    high_product = _high_product
else:

    def popcount(mask: int) -> int:
        """How many bits of `mask` are set."""
        return int(mask).bit_count()

    def low_bit(mask: int) -> int:
        """The position of the lowest set bit; `mask` is not 0."""
        return (int(mask) & -int(mask)).bit_length() - 1

    def leading_zeros(mask: int) -> int:
        """How many zeros stand above the highest set bit of a 64-bit word; `mask` is not negative."""
        return 64 - int(mask).bit_length()

    def high_product(a: int, b: int) -> int:
        """The upper 64 bits of the product of two unsigned 64-bit words."""
        return (int(a) * int(b)) >> 64
