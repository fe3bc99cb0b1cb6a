"""How numba compiles kernels: the inner ones to bitcode, which the doors above them optimise and make machine code of.

Numba's own way makes machine code of every kernel by itself, again in each of its callers, and anew for every number
that a caller writes out; yet only doors are ever called from outside. Left to the doors, a first call waits a third as
long. This stands on parts of numba that may change, so it is used with the versions it was tried with and no others.
"""

from typing import Any, ClassVar

import numba
from numba import _dynfunc, types
from numba.core import typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.registry import CPUDispatcher

TRIED_FROM, TRIED_TO = (0, 63), (0, 68)
IS_TRIED = TRIED_FROM <= numba.version_info.short <= TRIED_TO
"""Whether this numba is one of those; with any other, kernels are compiled in its own way."""
OURS = "_ZN7kernels"
"""How the names of all kernels begin in machine code."""
IDLE = {
    untyped_passes.InlineClosureLikes,
    typed_passes.NopythonRewrites,
    typed_passes.InlineOverloads,
}
"""Numba's steps for closures, expressions of whole arrays and inlined overloads: no kernel has any."""


class Bitcode(JITCodeLibrary):
    """The code of one inner kernel, which its callers link in as it is."""

    def finalize(self) -> None:
        """Nothing is left to do."""
        self._finalized = True


class Whole(JITCodeLibrary):
    """The code of a door with every kernel below put into its callers."""

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.name.startswith(OURS) and not function.is_declaration:
                function.add_function_attribute("alwaysinline")
        super()._optimize_final_module()


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(typed_passes.NativeLowering):
    """Numba's own lowering, into a library of bitcode."""

    _name = "inner_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower one kernel, and tell numba by what name and with which libraries callers get at it."""
        library = state.library = Bitcode(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        # The key by which numba finds a kernel is its entry from Python: an object that leads nowhere stands for it.
        module, name = lowered.fndesc.lookup_module(), lowered.fndesc.qualname
        key = _dynfunc.make_function(module, name, "has no entry", 0, lowered.env, (library,))
        needed = dict.fromkeys([library, *library._linking_libraries])
        state.targetctx.insert_user_function(key, lowered.fndesc, list(needed))
        state["cr"] = lowered._replace(cfunc=key)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class WholeLowering(typed_passes.NativeLowering):
    """Numba's own lowering of a door, into a library in which all is put together."""

    _name = "whole_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower one door."""
        state.library = Whole(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


class Remembering:
    """Numba's typing context, but what an operator gives for operands of some types is looked up once.

    Numba tries all that `x[i]` may mean, every time it stands somewhere.
    """

    found: ClassVar[dict[Any, Any]] = {}

    def __init__(self, context: Any) -> None:
        self.context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self.context, name)

    def resolve_function_type(self, function: Any, args: Any, kws: Any) -> Any:
        """The signature of a function for arguments of these types."""
        if kws or isinstance(function, types.Dispatcher | types.RecursiveCall):
            return self.context.resolve_function_type(function, args, kws)
        key = function, tuple(args)
        if key not in self.found:
            self.found[key] = self.context.resolve_function_type(function, args, kws)
        return self.found[key]


@register_pass(mutates_CFG=True, analysis_only=False)
class RememberingInference(typed_passes.NopythonTypeInference):
    """Numba's own inference of types, with a context that remembers."""

    _name = "remembering_inference"

    def run_pass(self, state: Any) -> bool:
        """Find the types of one kernel."""
        context = state.typingctx
        state.typingctx = Remembering(context)
        try:
            super().run_pass(state)
        finally:
            state.typingctx = context
        return True


class Inner(CompilerBase):
    """Numba's usual pipeline without idle steps, and with the steps above."""

    own: ClassVar[dict[Any, Any]] = {
        typed_passes.NopythonTypeInference: RememberingInference,
        typed_passes.NativeLowering: InnerLowering,
    }

    def define_pipelines(self) -> list[Any]:
        """The one pipeline, as numba wants it."""
        line = DefaultPassBuilder.define_nopython_pipeline(self.state, "kernels")
        line.passes = [(self.own.get(step, step), why) for step, why in line.passes if step not in IDLE]
        line.finalize()
        return [line]


class Outer(Inner):
    """The same for a door in which all is put together."""

    own: ClassVar[dict[Any, Any]] = {**Inner.own, typed_passes.NativeLowering: WholeLowering}


class InnerKernel(CPUDispatcher):
    """A kernel for other kernels: compiled once for all numbers of a type, not once for each that is written out."""

    def fold_argument_types(self, args: Any, kws: Any) -> Any:
        """The types of the arguments of a call of itself."""
        return super().fold_argument_types([types.unliteral(arg) for arg in args], kws)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The types of a call from elsewhere, for which the kernel is compiled if need be."""
        return super().get_call_template([types.unliteral(arg) for arg in args], kws)
