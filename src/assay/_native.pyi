"""The native core. Its callers are the modules that give its arrays a meaning; see cpp/bindings."""

from typing import Any

def __getattr__(name: str) -> Any: ...
