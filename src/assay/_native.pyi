from typing import Any

# The kernels are checked by their callers' tests; their signatures stand in cpp/bindings.
def __getattr__(name: str) -> Any: ...
