"""Training a network: forward, loss, backward, update, and a look at held-out examples after every epoch.

::

    fitting ── training_checks ── training_loop ── history, progress
                                      └── losses, optimizers, schedules, stopping, checkpoint
"""
