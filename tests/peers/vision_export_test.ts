/** What we export of a model that reads images is transformers' and PEFT's: same log-probs, also under newer names. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { promptIds } from "../../gpu/models/vision/image_input.ts";
import { patchWidth } from "../../gpu/models/vision_config.ts";
import { modelFolder } from "../steps/contexts/model_folders.ts";
import { SCENES } from "../steps/contexts/visual_run.ts";
import { type TrainingRun, withRun } from "../steps/contexts/training_run.ts";
import { trlPython } from "./trl.ts";

const python = trlPython();
const why = python === null
  ? ": needs a Python with TRL and PEFT in NONZERO_PEERS_PYTHON or .venv-peers/bin/python"
  : "";
/** With an adapter on text, tower and merger, and with a norm that trains whole. */
const LORA = {
  rank: 3,
  alpha: 6,
  target_modules: "all-linear",
  modules_to_save: ["norm"],
  rank_pattern: { "attn.qkv": 2 },
};

interface Asked {
  readonly ids: readonly number[];
  readonly grids: readonly (readonly [number, number])[];
  readonly patches: readonly number[];
}

/** A prompt of one scene and one of two, each with the answer of its first. */
async function asked({ policy, tables }: TrainingRun): Promise<readonly Asked[]> {
  const rows = tables.table("prompts").objects() as Record<string, string>[];
  const [one, two] = rows.map(({ prompt }) => policy.encodePrompt(prompt!, 0));
  const answer = Array.from(policy.encodeAnswer(rows[0]!["answer"]!));
  const all = [{ ids: [...one!], images: one!.images! }, {
    ids: [...one!, ...two!],
    images: [...one!.images!, ...two!.images!],
  }];
  return await Promise.all(all.map(async ({ ids, images }) => ({
    ids: [...ids, ...answer],
    grids: images.map(({ grid: { h, w } }) => [h, w] as const),
    patches: (await Promise.all(images.map((image) => image.patches()))).flatMap((patches) => Array.from(patches)),
  })));
}

/** Ours of the answers alone: a prompt's tokens are never asked for. */
async function ours({ policy }: TrainingRun, rows: readonly Asked[], answer: number): Promise<number[][]> {
  const images = rows.map(({ grids, patches }, r) => {
    let from = 0;
    return grids.map(([h, w], i) => {
      const own = Float32Array.from(patches.slice(from, from += h * w * patchWidth(policy.model.config.vision!)));
      return { id: `${r} ${i}`, grid: { h, w }, patches: () => Promise.resolve(own) };
    });
  });
  const prompts = rows.map(({ ids }, r) => promptIds(Int32Array.from(ids.slice(0, -answer)), images[r]!));
  const found = await policy.logprobs({ prompts, group: 1, completions: rows.map(({ ids }) => ids.slice(-answer)) }, 1);
  return found.map((row) => Array.from(row));
}

interface Job {
  readonly folder: string;
  readonly adapter: string | null;
  /** Where the model, and the adapter, are saved again under the names of modules. */
  readonly again?: string;
  readonly adapter_again?: string;
}

async function theirs({ policy: { model } }: TrainingRun, root: string, rows: readonly Asked[], jobs: readonly Job[]) {
  const { vision, imageToken, silentTokens } = model.config, path = join(root, "jobs.json");
  Deno.writeTextFileSync(
    path,
    JSON.stringify({ jobs, rows, image_token: imageToken, silent: silentTokens, width: patchWidth(vision!) }),
  );
  const script = new URL("vision_logprobs.py", import.meta.url).pathname;
  const { success, stdout, stderr } = await new Deno.Command(python!, {
    args: [script, path],
    stdout: "piped",
    stderr: "piped",
  })
    .output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assert(success, text(stderr).slice(-3000));
  return JSON.parse(text(stdout).trim().split("\n").at(-1)!) as number[][][];
}

for (const name of ["qwen2_vl", "qwen2_5_vl"]) {
  Deno.test({
    name: `transformers loads our export of ${name}, PEFT our adapter, and we what they save under newer names${why}`,
    ignore: python === null,
    fn: () =>
      withRun(async (run) => {
        const base = modelFolder(run.folder, name, { tokenizer: false });
        const [plain, adapter, merged, again, adapterAgain] = ["plain", "adapter", "merged", "again", "adapter_again"]
          .map((kind) => join(run.folder, kind)) as [string, string, string, string, string];
        await run.run("load_prompts", SCENES);
        await run.run("load_model", { model: base });
        await run.run("fine_tune", { max_updates: 3, batch_size: 4, learning_rate: 1e-2 });
        await run.run("export_model", { folder: plain });
        const rows = await asked(run),
          answer = run.policy.encodeAnswer(run.column<string>("prompts", "answer")[0]!).length;
        const whole = await ours(run, rows, answer);
        await run.run("load_model", { model: plain, lora: LORA });
        await run.run("fine_tune", { max_updates: 4, batch_size: 4, learning_rate: 3e-2 });
        await run.run("export_model", { folder: adapter, merge: false });
        await run.run("export_model", { folder: merged });
        const adapted = await ours(run, rows, answer);
        assert(
          adapted.some((row, r) => row.some((x, t) => Math.abs(x - whole[r]![t]!) > 1e-2)),
          "the adapter does something",
        );
        const found = await theirs(run, run.folder, rows, [
          { folder: plain, adapter: null, again },
          { folder: merged, adapter: null },
          { folder: plain, adapter, adapter_again: adapterAgain },
        ]);
        let worst = 0;
        for (const [i, want] of [whole, adapted, adapted].entries()) {
          found[i]!.forEach((row, r) =>
            row.slice(-answer).forEach((x, t) => worst = Math.max(worst, Math.abs(x - want[r]![t]!)))
          );
        }
        console.log(`${name} by transformers and PEFT: largest difference of a log-prob ${worst.toExponential(1)}`);
        assert(worst < 1e-4, `${worst}`);
        // Back again, under the names of modules.
        for (const file of ["tokenizer.json", "tokenizer_config.json", "preprocessor_config.json"]) {
          Deno.copyFileSync(join(plain, file), join(again, file));
        }
        for (
          const [load, want] of [
            [{ model: again }, whole],
            [{ model: again, adapter: adapterAgain }, adapted],
            [{ model: plain, adapter: adapterAgain, merge: true }, adapted],
            [{ model: merged }, adapted],
          ] as const
        ) {
          await run.run("load_model", load);
          const got = await ours(run, rows, answer);
          got.forEach((row, r) =>
            row.forEach((x, t) => assert(Math.abs(x - want[r]![t]!) < 1e-4, JSON.stringify(load)))
          );
        }
      }),
  });
}
