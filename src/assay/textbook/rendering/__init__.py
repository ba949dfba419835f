"""How a trace is shown: `text` as a table, `page` as HTML, `data` as JSON, and pictures."""
