"""Writes the small data sets of tests/goldens/datasets with pyarrow and datasets: python tests/peers/datasets_goldens.py."""
import datetime
import decimal
import json
import pathlib
import shutil
import sys

import datasets
import pyarrow as pa
import pyarrow.parquet as pq

OUT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "tests/goldens/datasets")
shutil.rmtree(OUT, ignore_errors=True)
OUT.mkdir(parents=True)

rows = {
    "question": pa.array(["1+1?", "2+2?", None], pa.string()),
    "large": pa.array([2**64 - 1, 2**53 + 1, 7], pa.uint64()),
    "price": pa.array([decimal.Decimal("12.50"), decimal.Decimal("-0.07"), None], pa.decimal128(9, 2)),
    "at": pa.array([datetime.datetime(2024, 5, 1, 12), None, datetime.datetime(1969, 12, 31)], pa.timestamp("us")),
    "kind": pa.array(["a", "b", "a"]).dictionary_encode(),
    "tags": pa.array([["x", "y"], [], None], pa.list_(pa.string())),
    "messages": pa.array(
        [[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}], [], None],
        pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())])),
    ),
    "flag": pa.array([True, False, None], pa.bool_()),
    "half": pa.array([1.5, None, -2.0], pa.float32()),
    "bytes": pa.array([b"\x00\xff", b"", None], pa.binary()),
    "wide": pa.array(["é", "漢", "😀"], pa.large_string()),
}
table = pa.table(rows)
with pa.OSFile(str(OUT / "types.arrow"), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
    for batch in table.to_batches(max_chunksize=2):
        writer.write_batch(batch)
with pa.OSFile(str(OUT / "types_file.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
    for batch in table.to_batches(max_chunksize=2):
        writer.write_batch(batch)
options = pa.ipc.IpcWriteOptions(compression="zstd")
with pa.OSFile(str(OUT / "zstd.arrow"), "wb") as sink, pa.ipc.new_stream(sink, table.schema, options=options) as writer:
    writer.write_table(table)
options = pa.ipc.IpcWriteOptions(compression="lz4")
with pa.OSFile(str(OUT / "lz4.arrow"), "wb") as sink, pa.ipc.new_stream(sink, table.schema, options=options) as writer:
    writer.write_table(table)
pq.write_table(table, OUT / "types.parquet", row_group_size=2)

solved = lambda n: {"question": f"What is {n} + {n}?", "answer": f"{n} + {n} = {2 * n}\n#### {2 * n}"}
train = datasets.Dataset.from_list([solved(n) for n in range(4)])
test = datasets.Dataset.from_list([solved(n) for n in range(4, 6)])
train.save_to_disk(str(OUT / "saved"), num_shards=2)
datasets.DatasetDict({"train": train, "test": test}).save_to_disk(str(OUT / "saved_dict"))
hub = OUT / "hub"
for config in ("main", "socratic"):
    (hub / config).mkdir(parents=True)
    train.to_parquet(str(hub / config / "train-00000-of-00001.parquet"))
    test.to_parquet(str(hub / config / "test-00000-of-00001.parquet"))
(hub / "README.md").write_text(
    """---
license: mit
configs:
- config_name: main
  data_files:
  - split: train
    path: main/train-*
  - split: test
    path: main/test-*
- config_name: socratic
  data_files:
  - split: train
    path: socratic/train-*
---
# A card
"""
)
# What pyarrow itself reads of the types, as JSON has it.
plain = [
    {k: (v.isoformat() + ".000Z" if isinstance(v, datetime.datetime) else str(v) if isinstance(v, decimal.Decimal)
         else list(v) if isinstance(v, bytes) else str(v) if type(v) is int and v > 2**53 else v) for k, v in row.items()}
    for row in table.to_pylist()
]
(OUT / "types.json").write_text(json.dumps({"pyarrow": pa.__version__, "datasets": datasets.__version__, "rows": plain}))
