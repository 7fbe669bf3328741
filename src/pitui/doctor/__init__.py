"""``pitui doctor``: what pitui needs of this machine and this terminal, each with OK or what to do.

`check` is what one finding is. `machine` looks at programs, files and pi itself; `terminal` at what is around us.
`report` runs them all and puts them into words.
"""
