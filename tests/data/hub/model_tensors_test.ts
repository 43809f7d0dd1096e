import assert from "node:assert/strict";
import { join } from "node:path";
import { openModelTensors } from "../../../data/hub/model_tensors.ts";
import { writeSafetensors } from "../../../data/hub/safetensors_write.ts";

const tensor = (...values: number[]) => ({ shape: [values.length], data: Float32Array.from(values) });

function withFolder(body: (folder: string, index: (map: unknown) => void) => void): void {
  const folder = Deno.makeTempDirSync();
  const index = (weight_map: unknown) =>
    Deno.writeTextFileSync(join(folder, "model.safetensors.index.json"), JSON.stringify({ weight_map }));
  try {
    writeSafetensors(join(folder, "one.safetensors"), new Map([["a", tensor(1, 2)], ["b", tensor(3)]]));
    writeSafetensors(join(folder, "two.safetensors"), new Map([["c", tensor(4)]]));
    body(folder, index);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("openModelTensors() joins shards by the index", () =>
  withFolder((folder, index) => {
    index({ a: "one.safetensors", b: "one.safetensors", c: "two.safetensors" });
    using model = openModelTensors(folder);
    assert.deepEqual([...model.tensors.keys()].sort(), ["a", "b", "c"]);
    assert.deepEqual([model.float32("a"), model.float32("c")], [Float32Array.of(1, 2), Float32Array.of(4)]);
    assert.throws(() => model.float32("d"), /Cannot read tensor "d" of .*: it is not there/);
  }));

Deno.test("openModelTensors() prefers one file, and takes another stem", () =>
  withFolder((folder, index) => {
    index({ a: "one.safetensors" });
    writeSafetensors(join(folder, "model.safetensors"), new Map([["whole", tensor(7)]]));
    writeSafetensors(join(folder, "adapter_model.safetensors"), new Map([["adapter", tensor(8)]]));
    using model = openModelTensors(folder);
    assert.deepEqual([...model.tensors.keys()], ["whole"]);
    using adapter = openModelTensors(folder, "adapter_model");
    assert.deepEqual([...adapter.tensors.keys()], ["adapter"]);
  }));

Deno.test("openModelTensors() names what is missing, misplaced or double", () =>
  withFolder((folder, index) => {
    assert.throws(
      () => openModelTensors(folder),
      /it has neither model\.safetensors nor model\.safetensors\.index\.json/,
    );
    index({ a: "three.safetensors" });
    assert.throws(() => openModelTensors(folder), /its index names three\.safetensors, which is missing/);
    index({ z: "one.safetensors" });
    assert.throws(() => openModelTensors(folder), /the index puts "z" into one\.safetensors, which lacks it/);
    index({ a: 1 });
    assert.throws(() => openModelTensors(folder), /its weight_map is not an object of file names/);
    writeSafetensors(join(folder, "two.safetensors"), new Map([["a", tensor(4)]]));
    index({ b: "one.safetensors", a: "two.safetensors" });
    assert.throws(() => openModelTensors(folder), /"a" stands in two shards/);
  }));

for (const dtype of ["F32", "F16", "BF16"] as const) {
  Deno.test(`openModelTensors() refuses a weight that is no finite number, by tensor and element: ${dtype}`, () =>
    withFolder((folder, index) => {
      for (const [value, told] of [[NaN, "NaN"], [Infinity, "Infinity"], [-Infinity, "-Infinity"]] as const) {
        const data = Float32Array.of(1, 2, 3, 4, 5, value), whole = new Map([["w", { shape: [2, 3], data }]]);
        writeSafetensors(join(folder, "three.safetensors"), whole, { dtype });
        index({ a: "one.safetensors", w: "three.safetensors" });
        using model = openModelTensors(folder);
        assert.throws(() => model.float32("w"), {
          name: "RangeError",
          message: `Cannot load tensors from ${folder}: "w" (${dtype}) is ${told} as float32 at [1,2], want finite ` +
            "numbers; take a checkpoint from before it broke, or download the folder again",
        });
        assert.deepEqual(model.float32("a"), Float32Array.of(1, 2));
      }
    }));
}

Deno.test("openModelTensors() takes the names of transformers' modules for those of published files, one of the two", () => {
  const folder = Deno.makeTempDirSync();
  try {
    const tensor = (value: number) => ({ shape: [2], data: Float32Array.of(value, value) });
    const write = (...names: readonly string[]) =>
      writeSafetensors(join(folder, "model.safetensors"), new Map(names.map((name, i) => [name, tensor(i)])));
    write("model.language_model.norm.weight", "model.visual.merger.ln_q.weight", "lm_head.weight");
    {
      using file = openModelTensors(folder);
      assert.deepEqual([...file.tensors.keys()].sort(), [
        "lm_head.weight",
        "model.norm.weight",
        "visual.merger.ln_q.weight",
      ]);
      assert.deepEqual([...file.float32("visual.merger.ln_q.weight")], [1, 1]);
      assert.deepEqual([...file.float32("model.norm.weight")], [0, 0]);
    }
    Deno.removeSync(join(folder, "model.safetensors"));
    write("model.language_model.norm.weight", "model.norm.weight");
    assert.throws(
      () => openModelTensors(folder),
      /"model\.norm\.weight" is there as "model\.language_model\.norm\.weight" too, want one of them/,
    );
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
