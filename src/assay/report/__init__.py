"""The report of a training: one HTML file to read, to show and to print, without any network.

::

    a run ── sections (what each part says) ── build (templates, figures, matrix_figure) ── HTML
    an audit, an evaluation, a comparison, clusters ── a page of their own, by a module of that name

`wording` has the sentences and titles that several of them share.
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
