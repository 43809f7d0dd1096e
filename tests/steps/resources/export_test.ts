import assert from "node:assert/strict";
import { join } from "node:path";
import { adapterOfModel } from "../../../steps/resources/adapter.ts";
import { exportOf } from "../../../steps/resources/export.ts";
import { readTensors } from "../../../steps/resources/model_source.ts";
import { merged } from "../../../data/hub/peft_adapter.ts";
import { same } from "../../same.ts";
import { modelFolder } from "../contexts/model_folders.ts";
import { withRun } from "../contexts/training_run.ts";

Deno.test("exportOf() finds the exact weights beneath a rounded base by itself, and tells so; of an adapter alone nothing", () =>
  withRun(async (run) => {
    const base = modelFolder(run.folder, "warm_addition", { tokenizer: false }), target = join(run.folder, "out");
    await run.run("load_model", { model: base, lora: { target_modules: "all_linear", init: false }, weights: "int8" });
    const { model } = run.policy,
      facts = { target, base, dtype: "float32", settings: new Map(), card: "mine" } as const;
    const told = exportOf(model, run.policy, { ...facts, merge: true });
    assert.match(told!, /upon weights of int8; it is merged into those of .*warm_addition, which are not rounded/);
    const written = readTensors(target);
    for (const [name, { data }] of merged(readTensors(base), adapterOfModel(model))) {
      same(written.get(name)!.data, data, name);
    }
    assert.equal(Deno.readTextFileSync(join(target, "README.md")), "mine");
    const alone = { ...facts, merge: false, target: join(run.folder, "alone") };
    assert.equal(exportOf(model, run.policy, alone), null);
    assert.equal(Deno.readTextFileSync(join(alone.target, "README.md")), "mine");
  }));

Deno.test("exportOf() refuses an adapter alone upon weights that are not those of its folder; merged it is whole", () =>
  withRun(async (run) => {
    const base = modelFolder(run.folder, "warm_addition", { tokenizer: false });
    await run.run("load_model", { model: base, lora: { target_modules: "all_linear" } });
    const { model } = run.policy, values = model.adapted!.base.values.data as Float32Array;
    const facts = { base, dtype: "float32", settings: new Map(), card: "" } as const;
    const out = (name: string, merge: boolean) =>
      exportOf(model, run.policy, { ...facts, merge, target: join(run.folder, name) });
    out("before", false);
    values.forEach((x, i) => values[i] = 1.01 * x);
    assert.throws(
      () => out("alone", false),
      /Cannot export the adapter alone: it stands upon weights that were trained in this run, not upon those in .*warm_addition; export it merged/,
    );
    out("merged", true);
    assert.deepEqual([...Deno.readDirSync(run.folder)].filter(({ name }) => name === "alone"), []);
  }));

Deno.test("exportOf() writes the numbers that the folder writes as Python's float so: 30.0 is not 30 to transformers", () =>
  withRun(async (run) => {
    const base = modelFolder(run.folder, "warm_addition", { tokenizer: false }), target = join(run.folder, "out");
    const path = join(base, "config.json"), config = JSON.parse(Deno.readTextFileSync(path));
    const text = JSON.stringify({ ...config, initializer_range: 1 })
      .replace('"rope_theta":10000', '"rope_theta":10000.0').replace(
        '"attention_dropout":0',
        '"attention_dropout":0.0',
      );
    Deno.writeTextFileSync(path, text);
    Deno.writeTextFileSync(join(base, "generation_config.json"), '{"top_p": 1.0, "eos_token_id": 257}');
    await run.run("load_model", { model: base });
    const facts = { target, base, dtype: "float32", settings: new Map(), card: "", merge: true } as const;
    exportOf(run.policy.model, run.policy, facts);
    const written = Deno.readTextFileSync(join(target, "config.json"));
    assert.match(written, /"rope_theta": 10000\.0,/);
    assert.match(written, /"initializer_range": 1\.0,/);
    assert.match(written, /"attention_dropout": 0\.0,/);
    assert.match(written, new RegExp(`"hidden_size": ${config.hidden_size},`));
    assert.match(Deno.readTextFileSync(join(target, "generation_config.json")), /"top_p": 1\.0,/);
  }));
