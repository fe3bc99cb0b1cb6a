"""Turns `euchre completion SHELL` into the script that teaches a shell to complete `euchre` by Tab, and answers it."""

import os

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

PROGRAM = "euchre"
VARIABLE = "_EUCHRE_COMPLETE"
"""What a shell sets when it asks."""

_BREAKS = "=:"
"""Where bash cuts a word in two, and what stands before is not to be given back."""

_BASH = """\
%(complete_func)s() {
    local IFS=$'\\n' completion type value
    COMPREPLY=()
    for completion in $(env COMP_LINE="$COMP_LINE" COMP_POINT="$COMP_POINT" %(complete_var)s=bash_complete "$1"); do
        IFS=',' read -r type value <<< "$completion"
        case $type in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain)
                COMPREPLY+=("$value")
                if [[ $value == *[=:] ]]; then compopt -o nospace; fi
                ;;
        esac
    done
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class Bash(BashComplete):
    """Bash, told the whole line: it cuts words at `=` and `:`."""

    source_template = _BASH

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the cursor, and the one under it."""
        if "COMP_LINE" not in os.environ:
            return super().get_completion_args()
        line = os.fsencode(os.environ["COMP_LINE"])[: int(os.environ["COMP_POINT"])].decode(errors="replace")
        words = split_arg_string(line)
        incomplete = words.pop() if words and not line[-1:].isspace() else ""
        return words[1:], incomplete

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """What the word may become, without what stands before the last place where bash cuts it."""
        found = super().get_completions(args, incomplete)
        cut = max(incomplete.rfind(mark) for mark in _BREAKS) + 1 if "COMP_LINE" in os.environ else 0
        return [CompletionItem(item.value[cut:], item.type, item.help) for item in found]


class Fish(FishComplete):
    """Fish, which may be given words with commas in them."""

    source_template = FishComplete.source_template.replace('string split ","', 'string split -m 1 ","')


SHELLS: dict[str, type[ShellComplete]] = {"bash": Bash, "zsh": ZshComplete, "fish": Fish}


def known_to_click() -> None:
    """Let click answer a shell by these."""
    for shell in SHELLS.values():
        add_completion_class(shell)


@click.command(
    epilog="""\b
Examples:
  euchre completion bash
  euchre completion fish

\b
To turn it on, in the file that the shell reads when it starts:
  ~/.bashrc                   eval "$(euchre completion bash)"
  ~/.zshrc                    eval "$(euchre completion zsh)"
  ~/.config/fish/config.fish  euchre completion fish | source
""",
)
@click.argument("shell", type=click.Choice(tuple(SHELLS), case_sensitive=False))
def completion(shell: str) -> None:
    """Print what makes SHELL complete euchre by Tab: commands, options, games, house rules, strategies, files.

    SHELL is bash (4.4 or newer), zsh or fish.
    """
    from analyzer.cli import euchre

    script = SHELLS[shell](euchre, {}, PROGRAM, VARIABLE)
    click.echo(script.source_template % script.source_vars(), nl=False)
