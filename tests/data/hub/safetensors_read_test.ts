/** Reading files that Python wrote, and our own. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openModelTensors } from "../../../data/hub/model_tensors.ts";
import { openSafetensors } from "../../../data/hub/safetensors_read.ts";
import { writeSafetensors } from "../../../data/hub/safetensors_write.ts";

Deno.test("openSafetensors() reads a file of the safetensors library", () => {
  using file = openSafetensors("tests/models/qwen2/model.safetensors");
  assert.deepEqual(file.tensors.get("model.norm.weight")!.shape, [64]);
  assert.ok(file.float32("model.norm.weight").every(Number.isFinite));
  assert.throws(() => file.float32("model.norm.wieght"), /it is not there; did you mean "model\.norm\.weight"/);
});

Deno.test("openModelTensors() joins bfloat16 shards by their index", () => {
  using model = openModelTensors("tests/models/qwen2_bf16_sharded");
  assert.deepEqual(model.tensors.get("model.embed_tokens.weight")!.shape, [528, 64]);
  const values = model.float32("model.embed_tokens.weight");
  const words = new Uint32Array(values.buffer);
  assert.ok(words.every((word) => (word & 0xffff) === 0) && values.some((value) => value !== 0));
});

Deno.test("F32, F16 and BF16 round-trip, rounded to nearest even", () => {
  const path = join(Deno.makeTempDirSync(), "x.safetensors");
  const data = Float32Array.of(1, -0, NaN, Infinity, 1.00390625, 1.01171875);
  const tensors = new Map([["w", { shape: [2, 3], data }]]);
  // bfloat16 steps by 2^-7 at 1: 1 + 2^-8 is a tie and goes to the even 1, 1 + 3 * 2^-8 to 1 + 2^-6
  const wanted = { F32: data, F16: data, BF16: Float32Array.of(1, -0, NaN, Infinity, 1, 1.015625) };
  for (const dtype of ["F32", "F16", "BF16"] as const) {
    writeSafetensors(path, tensors, { dtype });
    using file = openSafetensors(path);
    assert.deepEqual(file.float32("w"), wanted[dtype], dtype);
  }
  const bytes = Deno.readFileSync(path);
  Deno.writeFileSync(path, bytes.subarray(0, bytes.length - 1));
  assert.throws(() => openSafetensors(path), /1 bytes are missing/);
});

Deno.test("an index cannot name files outside its folder, nor missing ones", () => {
  const folder = Deno.makeTempDirSync();
  const index = (shard: string) =>
    Deno.writeTextFileSync(join(folder, "model.safetensors.index.json"), JSON.stringify({ weight_map: { w: shard } }));
  for (const shard of ["../x.safetensors", "/etc/passwd", "a\\b", "..", ""]) {
    index(shard);
    assert.throws(() => openModelTensors(folder), /it is a path, want a file name/, shard);
  }
  index("a.safetensors");
  assert.throws(() => openModelTensors(folder), /a\.safetensors, which is missing/);
  Deno.symlinkSync("/etc/hostname", join(folder, "a.safetensors"));
  assert.throws(() => openModelTensors(folder), /symbolic link/);
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("read() gives any range of a tensor, across the pieces in which it reads; closed, of a file that is as it was", () => {
  const path = join(Deno.makeTempDirSync(), "x.safetensors"), size = 600_000; // more than two pieces
  const data = Float32Array.from({ length: size }, (_, i) => i % 251 - 100); // exact in bfloat16
  const whole = () =>
    writeSafetensors(
      path,
      new Map([["a", { shape: [3], data: Float32Array.of(1, 2, 3) }], ["w", { shape: [size], data }]]),
      { dtype: "BF16" },
    );
  whole();
  const file = openSafetensors(path),
    read = (from: number, count: number) => {
      const into = new Float32Array(count);
      file.read("w", into, from);
      return into;
    };
  for (const [from, count] of [[0, size], [262_143, 3], [1, 524_289], [size - 1, 1], [7, 0]] as const) {
    assert.deepEqual(read(from, count), data.subarray(from, from + count), `${from} ${count}`);
  }
  assert.throws(() => read(size - 1, 2), /Cannot read elements 599999 to 600001 of "w" of .*: it has 600000/);
  assert.throws(() => read(-1, 2), RangeError);
  file.close();
  assert.deepEqual(read(5, 4), data.subarray(5, 9));
  Deno.utimeSync(path, 1, 1);
  assert.throws(() => read(5, 4), /it was changed while it was read; start again/);
});
