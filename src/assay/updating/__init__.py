"""Updating: a model, and labels that came since, make the next model.

The way of an update, one module a step; `update` goes it::

    new_labels ── known_training ── old_data ── merging ── again  ── worth ── ModelUpdate (result) ── written
    what came     how the model     and what   old with   train      before and             the model and its run folder
                  was trained       it learned new        again      after (two_models)

Where the old texts are gone, `update_onward` goes another way, from the old weights alone: see `assay.updating.onward`.
"""

from assay.lazy_names import lazy_names

__getattr__, __dir__ = lazy_names(__name__)
