"""Pages: a result as one HTML file that needs nothing else, for a phone, a desk and paper, light or dark.

One module a kind of result (`answers`, `many`, `chances`), each of which fills a `Page` (`render`) from the same data
and tables that the screen shows. Parts they share: `cards`, `scene` (who sits where and has said what), `words` (the
question in sentences), `grids` (tables), `drawings` (charts). All that is seen is in `templates/`, its style in
`style.css`. Only this package sees jinja2.
"""
