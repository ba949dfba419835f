"""A workspace: a folder with texts, what people decide about them line by line, and the models that come of it.

The folder is the truth, and everything can be made again from its files. Nothing here knows of a page or a server: they
stand on `Workspace`. The way down: `workspace` over `learning`, `measuring` and `training`; `state` over `records` over
`journal`; `adding` over `reading` over `texts` and `sources`; `settings` is ``workspace.json``.
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
