"""Opens what `export` wrote with the program it was written for, and prints what that program found, as JSON.

    python trackers.py tensorboard|wandb|mlflow FOLDER
"""

import json
import math
import os
import sys
import zlib
from pathlib import Path


def number(value):
    return value if math.isfinite(value) else str(value)


def tensorboard(folder):
    """The event file by TensorBoard's own reader, then by its server, as the browser asks it."""
    import time
    import urllib.request

    from tensorboard import program
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(folder, size_guidance={"scalars": 0, "tensors": 0, "histograms": 0})
    events.Reload()
    tags = events.Tags()
    board = program.TensorBoard()
    board.configure(argv=[None, "--logdir", folder, "--port", "0", "--load_fast", "false"])
    url = board.launch()
    served = {}
    for _ in range(100):
        with urllib.request.urlopen(f"{url}data/plugin/scalars/tags") as answer:
            served = json.load(answer)
        if served:
            break
        time.sleep(0.2)
    return {
        "scalars": {
            tag: [[e.step, e.wall_time, number(e.value)] for e in events.Scalars(tag)] for tag in tags["scalars"]
        },
        "texts": {
            tag: [[e.step, e.tensor_proto.string_val[0].decode()] for e in events.Tensors(tag)]
            for tag in tags["tensors"]
        },
        "histograms": {
            tag: [[e.step, e.histogram_value.num, e.histogram_value.max] for e in events.Histograms(tag)]
            for tag in tags["histograms"]
        },
        "served": sorted(tag for run in served.values() for tag in run),
    }


def blocks(path):
    """Records of a file whose reader W&B's package no longer has: the blocks of a LevelDB log."""
    data, at, parts = Path(path).read_bytes(), 7, []
    assert data[:7] == b":W&B\xe1\xbe\x00", data[:7]
    while at < len(data):
        left = 32768 - at % 32768
        if left < 7:
            assert data[at : at + left] == b"\0" * left
            at += left
            continue
        size, kind = int.from_bytes(data[at + 4 : at + 6], "little"), data[at + 6]
        part = data[at + 7 : at + 7 + size]
        assert zlib.crc32(part, zlib.crc32(bytes([kind]))) == int.from_bytes(data[at : at + 4], "little")
        parts = [*parts, part] if kind in (3, 4) else [part]
        at += 7 + size
        if kind in (1, 4):
            yield b"".join(parts)


def stored(path):
    try:
        from wandb.sdk.internal.datastore import DataStore
    except ImportError:
        yield from blocks(path)
        return
    store = DataStore()
    store.open_for_scan(path)
    while (record := store.scan_data()) is not None:
        yield record


def wandb(folder):
    """The records by W&B's own messages, and what `wandb sync` says that it would upload."""
    import subprocess

    from wandb.proto import wandb_internal_pb2

    (path,) = Path(folder).glob("wandb/offline-run-*/run-*.wandb")
    found = {"kinds": [], "config": {}, "history": [], "summary": {}, "files": []}
    for data in stored(str(path)):
        record = wandb_internal_pb2.Record.FromString(data)
        kind = record.WhichOneof("record_type")
        found["kinds"].append(kind)
        if kind == "run":
            found["config"] = {item.key: json.loads(item.value_json) for item in record.run.config.update}
            found["id"] = record.run.run_id
        elif kind == "history":
            row = {item.nested_key[0]: json.loads(item.value_json) for item in record.history.item}
            assert record.history.step.num == row["_step"]
            found["history"].append({key: number(x) if isinstance(x, float) else x for key, x in row.items()})
        elif kind == "summary":
            found["summary"] = {item.nested_key[0]: item.value_json for item in record.summary.update}
        elif kind == "files":
            found["files"] = [file.path for file in record.files.files]
    missing = [name for name in found["files"] if not (path.parent / "files" / name).is_file()]
    command = Path(sys.executable).parent / "wandb"
    sync = [command, "sync", "--dry-run" if has_option(command, "--dry-run") else "--view", path.parent]
    environment = {**os.environ, "WANDB_API_KEY": "0" * 40, "WANDB_SILENT": "false"}
    told = subprocess.run(sync, capture_output=True, text=True, env=environment)
    return {**found, "missing": missing, "synced": told.returncode == 0, "told": told.stdout + told.stderr}


def has_option(command, option):
    import subprocess

    return option in subprocess.run([command, "sync", "--help"], capture_output=True, text=True).stdout


def mlflow(folder):
    """The run by MLflow's own client."""
    os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
    import mlflow

    mlflow.set_tracking_uri(f"file:{folder}/mlruns")
    client = mlflow.MlflowClient()
    (run,) = client.search_runs([e.experiment_id for e in client.search_experiments()])
    history = {key: client.get_metric_history(run.info.run_id, key) for key in run.data.metrics}
    return {
        "name": run.info.run_name,
        "status": run.info.status,
        "params": run.data.params,
        "tags": run.data.tags,
        "metrics": {key: [[m.step, m.timestamp, number(m.value)] for m in list] for key, list in history.items()},
        "artifacts": [file.path for file in client.list_artifacts(run.info.run_id)],
    }


if __name__ == "__main__":
    result = {"tensorboard": tensorboard, "wandb": wandb, "mlflow": mlflow}[sys.argv[1]](sys.argv[2])
    print(json.dumps(result))
