import assert from "node:assert/strict";
import { join } from "node:path";
import { merged, type PeftAdapter, readAdapter, writeAdapterFolder } from "../../../data/hub/peft_adapter.ts";
import { scalingOf } from "../../../data/hub/peft_config.ts";
import { openSafetensors } from "../../../data/hub/safetensors_read.ts";
import { openModelTensors } from "../../../data/hub/model_tensors.ts";

const FOLDER = "tests/models/qwen2_lora";
const PLAIN = { rank: 1, alpha: 1, dropout: 0, rslora: false, saved: new Map() };
const tensor = (shape: number[], ...data: number[]) => ({ shape, data: Float32Array.from(data) });

Deno.test("readAdapter() and merged() give the weights that PEFT merges", () => {
  using file = openModelTensors("tests/models/qwen2");
  using golden = openSafetensors("tests/goldens/torch/lora_merged.safetensors");
  const base = new Map([...file.tensors].map(([name, { shape }]) => [name, { shape, data: file.float32(name) }]));
  const after = merged(base, readAdapter(FOLDER));
  for (const name of ["model.layers.0.self_attn.k_proj.weight", "model.layers.1.mlp.down_proj.weight"]) {
    const want = golden.float32(name), { data } = after.get(name)!;
    assert(want.some((x, i) => Math.abs(x - base.get(name)!.data[i]!) > 1e-3), "the adapter changes it");
    want.forEach((x, i) => assert(Math.abs(x - data[i]!) <= 1e-6, `${name} ${i}`));
  }
  assert.equal(after.get("model.norm.weight"), base.get("model.norm.weight"));
});

Deno.test("merged() adds scaling times B A, and names a weight that does not fit", () => {
  const a = tensor([1, 2], 1, 2),
    b = tensor([2, 1], 3, 4),
    adapter = { ...PLAIN, alpha: 2, pairs: new Map([["w.weight", { a, b }]]) };
  const { data } = merged(new Map([["w.weight", tensor([2, 2], 1, 1, 1, 1)]]), adapter).get("w.weight")!;
  assert.deepEqual([...data], [7, 13, 9, 17]);
  assert.throws(() => merged(new Map([["v.weight", tensor([2, 2], 1, 1, 1, 1)]]), adapter), {
    message: /^Cannot merge an adapter: the model has no "w\.weight"/,
  });
  assert.throws(() => merged(new Map([["w.weight", tensor([1, 2], 1, 1)]]), adapter), {
    message: 'Cannot merge an adapter: "w.weight" is [1,2], lora_B [2,1] times lora_A [1,2] is not',
  });
});

Deno.test("merged() refuses an adapter that makes a weight infinite or NaN, naming the weight", () => {
  const base = new Map([["w.weight", tensor([1, 2], 1, 1)]]), b = tensor([1, 1], 1e38);
  for (const [value, told] of [[1e38, "Infinity"], [NaN, "NaN"]] as const) {
    const adapter = { ...PLAIN, pairs: new Map([["w.weight", { a: tensor([1, 2], 0, value), b }]]) };
    assert.throws(() => merged(base, adapter).get("w.weight")!.data, {
      message: `Cannot merge an adapter: "w.weight" becomes ${told} at element 1, want finite numbers`,
    });
  }
});

Deno.test("readAdapter() refuses a folder without an adapter and one that computes something else", () => {
  assert.throws(() => readAdapter("tests/models/qwen2"), { message: /it has no adapter_config\.json/ });
  const config = JSON.parse(Deno.readTextFileSync(join(FOLDER, "adapter_config.json")));
  const folder = Deno.makeTempDirSync();
  Deno.copyFileSync(join(FOLDER, "adapter_model.safetensors"), join(folder, "adapter_model.safetensors"));
  const read = (more: Record<string, unknown>) => {
    Deno.writeTextFileSync(join(folder, "adapter_config.json"), JSON.stringify({ ...config, ...more }));
    return readAdapter(folder);
  };
  assert.equal(scalingOf(read({})), 2);
  for (const target_modules of [["foo"], ".*\\.q_proj"]) {
    assert.throws(
      () => read({ target_modules }),
      /which target_modules of its adapter_config\.json does not name .*PEFT would/,
    );
  }
  assert.throws(
    () => read({ exclude_modules: ["q_proj"] }),
    /"model\.layers\.0\.self_attn\.q_proj", which exclude_modules/,
  );
  assert.equal(read({ target_modules: ".*_proj" }).pairs.size, read({}).pairs.size);
  assert.equal(scalingOf(read({ use_rslora: true })), 4);
  assert.equal(read({ lora_dropout: 0.1 }).dropout, 0.1);
  assert.throws(() => read({ lora_dropout: 1 }), { message: /its lora_dropout is 1, want a number from 0 to 1/ });
  assert.throws(() => read({ use_dora: true }), { message: /its use_dora is true, want false/ });
  assert.throws(() => read({ peft_type: "LOHA" }), { message: /its peft_type is "LOHA", want "LORA"/ });
  assert.throws(() => read({ modules_to_save: 3 }), { message: /its modules_to_save is 3, want a list of names/ });
  assert.throws(() => read({ r: 0 }), { message: /its r is 0, want a whole number/ });
  for (const lora_alpha of [0, -8]) { // training it does nothing, or goes backwards
    assert.throws(() => read({ lora_alpha }), { message: /its lora_alpha is (0|-8), want a number above 0/ });
  }
  assert.throws(() => read({ r: 1.5 }), { message: /its r is 1\.5, want a whole number/ });
  assert.throws(() => read({ r: 64 }), { message: /has rank 4, want 64 as its adapter_config\.json says/ });
  assert.throws(() => read({ alora_invocation_tokens: [1] }), {
    message: /its alora_invocation_tokens is \[1\], want/,
  });
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("readAdapter() refuses what changes the numbers otherwise, and what it does not know, by name", () => {
  const config = JSON.parse(Deno.readTextFileSync(join(FOLDER, "adapter_config.json")));
  const folder = Deno.makeTempDirSync(), weights = join(folder, "adapter_model.safetensors");
  Deno.copyFileSync(join(FOLDER, "adapter_model.safetensors"), weights);
  const read = (more: Record<string, unknown>) => {
    Deno.writeTextFileSync(join(folder, "adapter_config.json"), JSON.stringify({ ...config, ...more }));
    return readAdapter(folder);
  };
  const refused: [Record<string, unknown>, RegExp][] = [
    [{ bias: "lora_only" }, /its bias is "lora_only", want "none"/],
    [{ lora_bias: true }, /its lora_bias is true, want false/],
    [{ layer_replication: [[0, 2]] }, /its layer_replication is \[\[0,2\]\], want none/],
    [
      { init_lora_weights: "pissa_niter_4" },
      /its init_lora_weights is "pissa_niter_4", want an adapter upon the base's own/,
    ],
    [{ new_trick: { beta: 2 } }, /its new_trick is \{"beta":2\}, want none: it is not known what it changes/],
    [{ rank_pattern: { "(a+)+": 2 } }, /its rank_pattern is .*, want other patterns: it repeats a group/],
    [{ rank_pattern: { q_proj: "2" } }, /its rank_pattern is .*, want an object of numbers above 0/],
    [
      { rank_pattern: { q_proj: 2 } },
      /lora_A of ".*q_proj.weight" has rank 4, want 2 as its adapter_config\.json says/,
    ],
  ];
  for (const [more, says] of refused) assert.throws(() => read(more), says);
  for (const more of [{ new_trick: null }, { eva_config: { rho: 2 } }, { init_lora_weights: "gaussian" }]) read(more);
  const { apart, ...rest } = read({ alpha_pattern: { "1.mlp.up_proj": 12 } });
  assert.deepEqual([...apart!], [["model.layers.1.mlp.up_proj.weight", { rank: 4, alpha: 12 }]]);
  assert.equal(scalingOf({ ...rest, apart: apart! }, "model.layers.1.mlp.up_proj.weight"), 3);
  Deno.renameSync(weights, join(folder, "adapter_model.bin"));
  assert.throws(() => read({}), /its weights are adapter_model\.bin, a pickle.*save_pretrained\(\) it again/);
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("merged() adds to each weight by the factor of its own", () => {
  const pair = { a: tensor([1, 1], 2), b: tensor([1, 1], 3) };
  const adapter = {
    ...PLAIN,
    alpha: 2,
    apart: new Map([["v.weight", { rank: 1, alpha: 5 }]]),
    pairs: new Map([["w.weight", pair], ["v.weight", pair]]),
  };
  const after = merged(new Map([["w.weight", tensor([1, 1], 0)], ["v.weight", tensor([1, 1], 0)]]), adapter);
  assert.deepEqual([after.get("w.weight")!.data[0], after.get("v.weight")!.data[0]], [12, 30]);
});

Deno.test("writeAdapterFolder() writes what readAdapter() reads, copies of whole modules among it", () => {
  const root = Deno.makeTempDirSync(), folder = join(root, "adapter");
  const adapter: PeftAdapter = {
    rank: 1,
    alpha: 16,
    dropout: 0.05,
    rslora: true,
    pairs: new Map([["model.layers.0.mlp.up_proj.weight", { a: tensor([1, 2], 1, 2), b: tensor([3, 1], 3, 4, 5) }]]),
    saved: new Map([["model.norm.weight", tensor([2], 6, 7)]]),
  };
  writeAdapterFolder(folder, adapter, { base: "/models/base", files: new Map([["tokenizer.json", "{}"]]) });
  assert.deepEqual(readAdapter(folder), adapter);
  const config = JSON.parse(Deno.readTextFileSync(join(folder, "adapter_config.json")));
  assert.deepEqual(
    [
      config.peft_type,
      config.r,
      config.lora_alpha,
      config.base_model_name_or_path,
      config.target_modules,
      config.modules_to_save,
    ],
    ["LORA", 1, 16, "/models/base", ["model.layers.0.mlp.up_proj"], ["model.norm"]],
  );
  Deno.writeTextFileSync(join(folder, "notes.md"), "mine");
  assert.throws(() => writeAdapterFolder(folder, adapter, { base: null, files: new Map() }), /it holds "notes\.md"/);
  Deno.removeSync(root, { recursive: true });
});

Deno.test("merged() puts a whole module in its place, and refuses one that the model has not", () => {
  const pairs = new Map(), saved = new Map([["n.weight", tensor([2], 5, 6)]]), adapter = { ...PLAIN, pairs, saved };
  const after = merged(new Map([["n.weight", tensor([2], 1, 1)]]), adapter);
  assert.deepEqual([...after.get("n.weight")!.data], [5, 6]);
  assert.throws(() => merged(new Map([["n.weight", tensor([3], 1, 1, 1)]]), adapter), {
    message: 'Cannot merge an adapter: it has "n.weight" [2], which the model has as [3]',
  });
});

Deno.test("an embedding that is the head too is written under both names, as PEFT reads it, and read as one", () => {
  const folder = join(Deno.makeTempDirSync(), "adapter");
  const matrix = (rows: number, columns: number) => ({
    shape: [rows, columns],
    data: Float32Array.from({ length: rows * columns }, (_, i) => i + 1),
  });
  const [embedding, head] = ["model.embed_tokens.weight", "lm_head.weight"];
  const adapter = (saved: Record<string, ReturnType<typeof matrix>>, tied?: true): PeftAdapter => ({
    rank: 1,
    alpha: 2,
    dropout: 0,
    rslora: false,
    ...(tied ? { tied } : {}),
    pairs: new Map([["v.weight", { a: matrix(1, 2), b: matrix(3, 1) }]]),
    saved: new Map(Object.entries(saved)),
  });
  const written = (given: PeftAdapter) => {
    writeAdapterFolder(folder, given, { base: null, files: new Map() });
    using file = openModelTensors(folder, "adapter_model");
    const { ensure_weight_tying } = JSON.parse(Deno.readTextFileSync(join(folder, "adapter_config.json")));
    return { names: [...file.tensors.keys()].filter((name) => !/lora/.test(name)), ensure_weight_tying };
  };
  const both = [embedding, head].map((name) => `base_model.model.${name}`);
  assert.deepEqual(written(adapter({ [embedding!]: matrix(2, 2) }, true)), { names: both, ensure_weight_tying: true });
  const { tied, saved } = readAdapter(folder);
  assert.deepEqual([tied, [...saved.keys()]], [true, [embedding]]);
  // Two matrices of a model whose head is its own stay two.
  const apart = { [embedding!]: matrix(2, 2), [head!]: { shape: [2, 2], data: new Float32Array(4) } };
  assert.deepEqual(written(adapter(apart)), { names: both, ensure_weight_tying: undefined });
  assert.deepEqual([...readAdapter(folder).saved.keys()], [embedding, head]);
});
