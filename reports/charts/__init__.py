"""Charts: results drawn, one file a kind of chart, all read from the same plain data as the tables.

A `Chart` (`style`) is a title that says the finding, a note with n and what its marks mean, and how to draw it.

* `commands.of_answer(answer)`, `of_simulation`, `of_matches`, `of_comparison`, `of_sweep`, `of_equity`: the charts of
  what a command found, a list of `Chart`, the one to see first in front.
* `files.figure(chart, ...)`: these charts one under the other as a `matplotlib.figure.Figure`, 7 inches wide.
* `files.svg(figure, name)`: it as text to stand in a page; every id in it begins with `name`, which no two charts of
  the page may share. `chart.title` and `chart.note` say in words what it shows.
* `files.write(figure, path)`: a file .png, .svg or .pdf, whole or not at all.

Only this package sees matplotlib, which takes 0.3 s to import: import it where a chart is wanted, not before.
"""

import logging

logging.getLogger("matplotlib").setLevel(logging.ERROR)  # where it keeps its fonts is nothing that users need to know
