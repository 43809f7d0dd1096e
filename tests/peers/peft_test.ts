/** Adapters that we export are PEFT's: it loads them, computes what we compute, and what it saves we load. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { readAdapter } from "../../data/hub/peft_adapter.ts";
import { writeSafetensors } from "../../data/hub/safetensors_write.ts";
import { readTensors } from "../../steps/resources/model_source.ts";
import { editJson, modelFolder } from "../steps/contexts/model_folders.ts";
import { withRun } from "../steps/contexts/training_run.ts";
import { same } from "../same.ts";
import { trlPython } from "./trl.ts";

const python = trlPython();
const why = python === null
  ? ": needs a Python with TRL and PEFT in NONZERO_PEERS_PYTHON or .venv-peers/bin/python"
  : "";
const ROWS = [[49, 43, 50, 61, 51, 257], [56, 43, 57, 61, 49, 55, 257]];
const PROMPT = 4; // Tokens of a row that are its prompt.

/** Gives a model a head of its own, which begins as its embedding. */
function untie(folder: string): void {
  const tensors = new Map(readTensors(folder));
  const whole = new Map([...tensors].map(([name, { shape, data }]) => [name, { shape, data: data.slice() }]));
  whole.set("lm_head.weight", whole.get("model.embed_tokens.weight")!);
  Deno.removeSync(join(folder, "model.safetensors"));
  writeSafetensors(join(folder, "model.safetensors"), whole);
  editJson(join(folder, "config.json"), (json) => json["tie_word_embeddings"] = false);
}

/** What trains whole beside the adapter, in a model whose head is its embedding or another matrix. */
const CASES = [
  { what: "norms and a projection", tied: true, modules_to_save: ["norm", "layers.0.self_attn.k_proj"] },
  { what: "the embedding, which is the head", tied: true, modules_to_save: ["embed_tokens"] },
  { what: "embedding and head apart", tied: false, modules_to_save: ["lm_head", "embed_tokens"] },
  { what: "an adapter on the head", tied: false, target_modules: ["q_proj", "v_proj", "up_proj", "lm_head"] },
];

for (const { what, tied, ...own } of CASES) {
  Deno.test({
    name: `PEFT loads our adapter and transformers the merged model, with our log-probs: ${what}${why}`,
    ignore: python === null,
    fn: () =>
      withRun(async (run) => {
        const base = modelFolder(run.folder, "warm_addition", { tokenizer: false });
        if (!tied) untie(base);
        const [adapter, merged, rows] = ["adapter", "merged", "rows.json"].map((name) => join(run.folder, name));
        await run.run("load_prompts", { task: "subtraction", digits: 1 });
        await run.run("load_model", {
          model: base,
          reference: "adapter_off",
          lora: {
            rank: 4,
            alpha: 16,
            rslora: true,
            target_modules: "all_linear",
            ...own,
            rank_pattern: { "1.self_attn.v_proj": 2 },
            alpha_pattern: { "mlp.up_proj": 9 },
          },
        });
        await run.run("fine_tune", { max_updates: 10, batch_size: 16, learning_rate: 5e-3 });
        await run.run("export_model", { folder: adapter, merge: false });
        await run.run("export_model", { folder: merged });
        Deno.writeTextFileSync(rows!, JSON.stringify(ROWS));
        const script = new URL("peft_logprobs.py", import.meta.url).pathname;
        const args = [script, "--base", base, "--adapter", adapter!, "--merged", merged!, "--rows", rows!];
        const { success, stdout, stderr } = await new Deno.Command(python!, { args, stdout: "piped", stderr: "piped" })
          .output();
        const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
        assert(success, text(stderr).slice(-2000));
        const theirs = JSON.parse(text(stdout).trim().split("\n").at(-1)!) as Record<
          "adapter" | "merged" | "off",
          number[][]
        >;
        const sequences = {
          prompts: ROWS.map((row) => row.slice(0, PROMPT)),
          group: 1,
          completions: ROWS.map((row) => row.slice(PROMPT)),
        };
        const ours = await run.policy.logprobs(sequences, 1),
          off = await run.resources.reference!.logprobs(sequences, 1);
        let worst = 0;
        for (const [want, got] of [[theirs.adapter, ours], [theirs.merged, ours], [theirs.off, off]] as const) {
          want.forEach((row, r) =>
            row.slice(PROMPT - 1).forEach((x, t) => worst = Math.max(worst, Math.abs(x - got[r]![t]!)))
          );
        }
        console.log(`PEFT and transformers: largest difference of a log-prob ${worst.toExponential(1)}`);
        assert(worst < 1e-4, `${worst}`);
        assert(
          off.some((row, r) => row.some((x, t) => Math.abs(x - ours[r]![t]!) > 1e-2)),
          "the adapter does something",
        );
        const [saved, again] = [readAdapter(adapter!), readAdapter(`${adapter}_again`)];
        assert.deepEqual([...again.pairs.keys()].sort(), [...saved.pairs.keys()].sort());
        for (const [name, { a, b }] of saved.pairs) {
          same(again.pairs.get(name)!.a.data, a.data);
          same(again.pairs.get(name)!.b.data, b.data);
        }
        assert.deepEqual([...again.saved.keys()].sort(), [...saved.saved.keys()].sort());
        assert.deepEqual([again.rank, again.alpha, again.rslora], [4, 16, true]);
        assert.deepEqual([...again.apart!].sort(), [...saved.apart!].sort());
        assert.equal(saved.apart!.size, 3);
        // What PEFT saved of it, loaded here.
        await run.run("load_model", { model: base, adapter: `${adapter}_again` });
        const back = await run.policy.logprobs(sequences, 1);
        back.forEach((row, r) => row.forEach((x, t) => assert(Math.abs(x - ours[r]![t]!) < 1e-5, `${r} ${t}`)));
      }),
  });
}
