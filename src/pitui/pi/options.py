"""pi's command line as far as pitui must know it (``pi --help`` of 1.6.0, ``cli/args.js``)."""

TAKES_VALUE = frozenset(
    """
    --provider --model --api-key --system-prompt --append-system-prompt --session --session-id --fork --session-dir
    --name -n --models --tools -t --exclude-tools -xt --thinking --extension -e --skill --prompt-template --use-theme
    --tui-mode
    """.split()
)

TAKES_NONE = frozenset(
    """
    --continue -c --no-session --no-tools -nt --no-builtin-tools -nbt --no-extensions -ne --no-mcp --no-skills -ns
    --no-prompt-templates -np --no-themes --no-context-files -nc --verbose --approve -a --no-approve -na --offline
    """.split()
)

REFUSED = {
    "--mode": "pitui always runs pi in its RPC mode.",
    "--print": "It makes pi answer once and end, with nothing to show here: use “pi --print”.",
    "-p": "It makes pi answer once and end, with nothing to show here: use “pi -p”.",
    "--export": "It makes pi write a file and end: use “pi --export”, or /export in pitui.",
    "--list-models": "It makes pi print a list and end: use “pi --list-models”, or /model in pitui.",
}
"""Options that would end pi at once or keep it from speaking its protocol, and what to do instead."""

PICKS_SESSION = frozenset(("--resume", "-r"))
"""pi would draw its own list on stderr and take requests for key presses."""

SUBCOMMANDS = frozenset("install remove uninstall update list config auth mcp".split())
