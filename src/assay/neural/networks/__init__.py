"""The networks, in the manners of `TextClassifier`.

::

    network_classifier ──┬─ word_network ── averaging, convolutional, recurrent
                         └─ feed_forward
    mean_teacher: a network that also learns from texts without labels
"""
