"""Models in files: one safetensors file that holds only data; `docs/reference/model-file.md` is the written format.

::

    model ── write ─┬─ frame (VERSION, head, named sections) ── assay.tensor_file ── read ── model
                    └─ record (provenance, lineage, attachment)      version1 puts older files into today's sections

`text_sketch` is what a file remembers of its training texts.

A further section is written in `write` and read in `read` where answers depend on it, and in `record` where none does;
its fields stand in the written format.

A file of a later version is refused by `assay.tensor_file`, which knows nothing of what the sections mean.
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
