"""The pages of the server: ``/`` to try a text, ``/docs`` to read what can be asked. They load nothing from elsewhere.

Style and script that they share with the report come from `assay.page`; everything is a file of its own, because the
policy of the server lets a browser run and use no other.
"""

from assay.server.page.routes import PUBLIC, routes

__all__ = ["PUBLIC", "routes"]
