"""How `make docs` builds these pages into a site."""

from importlib.metadata import version as version_of

project = "Euchre Lab"
author = "The Euchre Lab authors"
copyright = "The Euchre Lab authors"  # noqa: A001  # the name is Sphinx's
version = release = version_of("euchre-lab")

extensions = ["myst_parser"]
myst_heading_anchors = 4
exclude_patterns = ["reports"]
html_theme = "furo"
html_title = f"{project} {version}"
html_show_sphinx = False
html_copy_source = False
