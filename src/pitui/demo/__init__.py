"""An agent that speaks pi's RPC protocol as pi 1.6.0 does, with no pi, key or network.

It is the child of ``pitui --demo`` and stands for pi in tests. Its model reads scripts (`script`) or, with
``DEMO_SHOW=1``, plain words (`show`); its files and its shell are pretended, so that nothing that is typed is ever run.
"""

PI_VERSION = "1.6.0"
"""Of the pi that it speaks like."""
