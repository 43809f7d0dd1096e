"""Opens each file named on a line of standard input with the safetensors library: "ok" and the sizes, or "refused"."""

import json
import sys

from safetensors import safe_open

for line in sys.stdin:
    path = line.rstrip("\n")
    try:
        with safe_open(path, framework="np") as file:
            shapes = {name: list(file.get_slice(name).get_shape()) for name in file.keys()}
        print(json.dumps({"ok": True, "shapes": shapes}), flush=True)
    except BaseException as error:  # the library's panics too
        print(json.dumps({"ok": False, "error": type(error).__name__}), flush=True)
