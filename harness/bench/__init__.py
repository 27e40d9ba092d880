"""How fast it is: what each kind of work costs on this machine, beside a bare route measured in the same run.

A machine that others share is fast and slow by turns, so nothing here is one long measurement: rounds of the
thing and of what it is held against take turns, and medians are kept. Compare ratios, not milliseconds.
"""
