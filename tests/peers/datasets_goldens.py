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

# Values that a JavaScript number or date would not hold, nulls where lists and objects stand, and pages without a byte.
utc = datetime.timezone.utc
exact = {
    "price": pa.array([decimal.Decimal("1.15"), decimal.Decimal("-2.30"), None], pa.decimal128(9, 2)),
    "wide": pa.array([decimal.Decimal("123456789012345678.90"), decimal.Decimal("-99999999999999999999.99"), None],
                     pa.decimal128(30, 2)),
    "whole": pa.array([decimal.Decimal("12345678901234567890"), decimal.Decimal(0), None], pa.decimal128(25, 0)),
    "prices": pa.array([[decimal.Decimal("1.07"), None], [], None], pa.list_(pa.decimal128(9, 2))),
    "cost": pa.array([{"net": decimal.Decimal("0.07")}, {"net": None}, None], pa.struct([("net", pa.decimal128(18, 2))])),
    "by_shop": pa.array([[("a", decimal.Decimal("0.10")), ("b", None)], [], None],
                        pa.map_(pa.string(), pa.decimal128(9, 2))),
    "micro": pa.array([1700000000123456, -1, None], pa.timestamp("us")),
    "nano": pa.array([1700000000123456789, 1000000, None], pa.timestamp("ns")),
    "tags": pa.array([["x"], [], None], pa.list_(pa.string())),
    "messages": pa.array([None, [], [None]], pa.list_(pa.struct([("role", pa.string())]))),
    "nothing": pa.nulls(3),
}


def stamp(value, unit):
    whole, part = divmod(value, unit)
    text = datetime.datetime.fromtimestamp(whole, utc).strftime("%Y-%m-%dT%H:%M:%S.")
    digits = str(part).rjust(6 if unit == 10**6 else 9, "0")
    while len(digits) > 3 and digits.endswith("000"):
        digits = digits[:-3]
    return text + digits + "Z"


def plain(value):
    if isinstance(value, decimal.Decimal):
        return str(value)
    if isinstance(value, list):
        return dict((k, plain(v)) for k, v in value) if value and isinstance(value[0], tuple) else [plain(v) for v in value]
    return {k: plain(v) for k, v in value.items()} if isinstance(value, dict) else value


columns = {name: [plain(v) for v in a.to_pylist()] for name, a in exact.items() if name not in ("micro", "nano")}
columns["by_shop"][1] = {}
for name, unit in (("micro", 10**6), ("nano", 10**9)):
    columns[name] = [None if v is None else stamp(v, unit) for v in exact[name].cast(pa.int64()).to_pylist()]
table = pa.table(exact)
for codec in ("gzip", "brotli", "zstd"):
    # Groups of one row: of the last one every page is empty.
    pq.write_table(table, OUT / f"exact_{codec}.parquet", compression=codec, row_group_size=1, write_statistics=False,
                   store_schema=False)
with pa.ipc.new_stream(OUT / "exact.arrow", table.schema) as writer:
    writer.write_table(table)
(OUT / "exact.json").write_text(json.dumps([{k: v[i] for k, v in columns.items()} for i in range(3)]) + "\n")

# As datasets keeps images: bytes, and perhaps a path.
IMAGES = pathlib.Path("tests/goldens/images")
features = datasets.Features({"image": datasets.Image(), "problem": datasets.Value("string"), "solution": datasets.Value("string")})
kept = [{"bytes": (IMAGES / "rgb.png").read_bytes(), "path": "rgb.png"}, {"bytes": (IMAGES / "turned_6.jpg").read_bytes(), "path": None}]
asked = {"image": kept, "problem": ["Which?", "Where?"], "solution": ["a", "b"]}
datasets.Dataset.from_dict(asked, features=features).to_parquet(OUT / "images.parquet")
