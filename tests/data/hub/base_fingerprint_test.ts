import assert from "node:assert/strict";
import { join } from "node:path";
import { baseFingerprint, compareFingerprints, shortFingerprint } from "../../../data/hub/base_fingerprint.ts";
import { openModelTensors } from "../../../data/hub/model_tensors.ts";
import { type TensorData, writeSafetensors } from "../../../data/hub/safetensors_write.ts";

const MODEL = "tests/models/qwen2";

/** The fingerprint of the model's copy, changed. */
function of(change: (tensors: Map<string, TensorData>) => void, dtype: "F32" | "BF16" | "F16" = "F32"): string | null {
  const folder = Deno.makeTempDirSync();
  try {
    using file = openModelTensors(MODEL);
    const tensors = new Map([...file.tensors].map(([name, { shape }]) => [name, { shape, data: file.float32(name) }]));
    change(tensors);
    writeSafetensors(join(folder, "model.safetensors"), tensors, { dtype });
    return baseFingerprint(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("baseFingerprint() is that of a copy in another order or as bfloat16, and of one with a head or buffers more", () => {
  const own = baseFingerprint(MODEL);
  assert.match(own!, /^[0-9a-f]{16} [0-9a-f]{512,1024}$/);
  const reversed = (tensors: Map<string, TensorData>) => {
    const all = [...tensors].reverse();
    tensors.clear();
    for (const [name, tensor] of all) tensors.set(name, tensor);
  };
  const more = (tensors: Map<string, TensorData>) => {
    tensors.set("lm_head.weight", tensors.get("model.embed_tokens.weight")!);
    tensors.set("model.layers.0.self_attn.rotary_emb.inv_freq", { shape: [2], data: new Float32Array(2) });
  };
  assert.deepEqual([of(reversed), of(() => {}, "BF16"), of(more)], [own, own, own]);
});

Deno.test("baseFingerprint() is another where weights, names or shapes are, and null where there are none", () => {
  const name = "model.layers.1.mlp.down_proj.weight", all = new Set([baseFingerprint(MODEL)]);
  for (
    const change of [
      (tensors) => tensors.get(name)!.data.forEach((x, i, data) => data[i] = 1.02 * x),
      (tensors) => tensors.delete(name),
      (tensors) => tensors.set(name, { ...tensors.get(name)!, shape: [128, 64] }),
      (tensors) => tensors.get("model.norm.weight")!.data[0]! += 1,
    ] satisfies ((tensors: Map<string, TensorData>) => void)[]
  ) all.add(of(change));
  assert.equal(all.size, 5);
  assert.equal(baseFingerprint("tests/models/tokenizer"), null);
});

Deno.test("compareFingerprints() knows a copy in another dtype as near, and another model as another", () => {
  const own = baseFingerprint(MODEL)!, half = of(() => {}, "F16")!;
  assert.equal(compareFingerprints(own, own), "same");
  assert.notEqual(half, own, "rounded twice");
  assert.equal(compareFingerprints(own, half), "near");
  const name = "model.layers.1.mlp.down_proj.weight";
  const changed = of((tensors) => tensors.get(name)!.data.forEach((x, i, data) => data[i] = 1.02 * x))!;
  assert.equal(compareFingerprints(own, changed), "other");
  assert.equal(compareFingerprints(own, baseFingerprint("tests/models/llama")!), "other");
  assert.equal(compareFingerprints(own, "0123456789abcdef"), "other");
  assert.equal(compareFingerprints(own, `${shortFingerprint(half)} nonsense`), "other");
});
