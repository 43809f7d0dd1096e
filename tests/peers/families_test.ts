/**
 * Families that no one looked at before: other seeds, sizes, windows and multipliers, made by transformers now; and what we
 * export of each is transformers' and PEFT's.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { writeModelFolder } from "../../data/hub/export.ts";
import { writeAdapterFolder } from "../../data/hub/peft_adapter.ts";
import { LanguageModel } from "../../gpu/language_model.ts";
import { toConfigJson } from "../../gpu/models/config.ts";
import type { Runtime } from "../../gpu/ort/runtime.ts";
import { adapterPlan } from "../../steps/options/adapter_plan.ts";
import { LORA } from "../../steps/options/lora.ts";
import { adapterOfModel } from "../../steps/resources/adapter.ts";
import { differences, type FamilyGolden, withFamily } from "../gpu/models/family_golden.ts";
import { cpuRuntime } from "../gpu/golden_model.ts";
import { trlPython } from "./trl.ts";

const python = trlPython();
const why = python === null
  ? ": needs a Python with TRL and PEFT in NONZERO_PEERS_PYTHON or .venv-peers/bin/python"
  : "";
/** More by NONZERO_FAMILY_SEEDS: a list with commas. */
const SEEDS = (Deno.env.get("NONZERO_FAMILY_SEEDS") ?? "101,102").split(",").map(Number);
const TOKENS = { bos_token_id: 1, eos_token_id: 2, pad_token_id: 0 };

interface Job {
  readonly folder: string;
  readonly adapter: string | null;
  readonly scalar: boolean;
  readonly rows: readonly (readonly number[])[];
}

async function runPython(script: string, ...args: string[]): Promise<string> {
  const path = new URL(script, import.meta.url).pathname;
  const { success, stdout, stderr } = await new Deno.Command(python!, {
    args: [path, ...args],
    stdout: "piped",
    stderr: "piped",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assert(success, text(stderr).slice(-3000));
  return text(stdout);
}

async function logitsOf(jobs: readonly Job[], folder: string): Promise<number[][][][]> {
  Deno.writeTextFileSync(join(folder, "jobs.json"), JSON.stringify(jobs));
  return JSON.parse((await runPython("families_logits.py", join(folder, "jobs.json"))).trim().split("\n").at(-1)!);
}

/** Every family in a folder of its own, and the runtime that reads them. */
async function withFamilies(
  args: readonly string[],
  body: (runtime: Runtime, folder: string, names: readonly string[]) => Promise<void>,
): Promise<void> {
  const folder = Deno.makeTempDirSync(), runtime = await cpuRuntime();
  try {
    await runPython("families.py", "--out", folder, ...args);
    await body(runtime, folder, [...Deno.readDirSync(folder)].map(({ name }) => name).sort());
  } finally {
    runtime.release();
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Numbers in (-1, 1), the same every time. */
function numbers(count: number, seed: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => Math.sin(seed + 12.9898 * i) * 43758.5453 % 1);
}

for (const seed of SEEDS) {
  Deno.test({
    name: `Every family with sizes drawn by seed ${seed} computes what transformers computes${why}`,
    ignore: python === null,
    fn: () =>
      withFamilies(["--seed", `${seed}`, "--vary"], async (runtime, folder, names) => {
        for (const name of names) {
          await withFamily(runtime, join(folder, name), async (model, golden) => {
            const off = await differences(model, golden);
            for (
              const [what, most] of Object.entries({ logits: 2e-4, logprobs: 1e-4, gradients: 1e-3, greedy: 1e-4 })
            ) {
              assert(off[what as keyof typeof off] < most, `${name}: ${what} differ by ${JSON.stringify(off)}`);
            }
          });
        }
      }),
  });
}

/** What we compute of rows, and the folder that transformers or PEFT is to compute the same from. */
interface Exported {
  readonly job: Job;
  /** Of a scalar head one score per row, else log-probs of every token but the first. */
  readonly ours: readonly ArrayLike<number>[];
}

/** A score by itself, or the log-prob of each next token. */
function numbersOf({ scalar, rows }: Job, logits: readonly (readonly (number | readonly number[])[])[]): number[][] {
  if (scalar) return logits as number[][];
  return rows.map((row, r) =>
    row.slice(1).map((id, t) => {
      const at = logits[r]![t] as readonly number[], top = Math.max(...at);
      return at[id]! - top - Math.log(at.reduce((sum, x) => sum + Math.exp(x - top), 0));
    })
  );
}

/** The model itself, with an adapter, and as a critic, each as a folder of its own within `folder`. */
async function exportAll(model: LanguageModel, { rows: pairs }: FamilyGolden, folder: string): Promise<Exported[]> {
  const rows = pairs.map(({ prompt, completion }) => [...prompt, ...completion]), { config, runtime } = model;
  const batch = { prompts: rows.map((row) => row.slice(0, 1)), group: 1, completions: rows.map((row) => row.slice(1)) };
  const path = (kind: string) => join(folder, kind), tokenizerFiles = new Map<string, string>();
  const write = (kind: string, { config, weights }: LanguageModel) => {
    writeModelFolder(path(kind), {
      config: toConfigJson(config, TOKENS),
      tensors: weights.toHuggingFace(),
      tokenizerFiles,
    });
    return { folder: path(kind), adapter: null, scalar: config.head === "scalar", rows };
  };
  const tensors = new Map(model.weights.toHuggingFace()); // the adapted model frees them
  const job = write("exported", model), plain = (await model.logprobs(batch)).logprobs;

  const lora = LORA.parse({ rank: 3, alpha: 6, target_modules: "all_linear" });
  const adapted = LanguageModel.adapt(model, adapterPlan(model.weights.layout, lora), null);
  const { values } = adapted.weights;
  values.upload(numbers(values.size, 3).map((x) => 0.3 * x));
  writeAdapterFolder(path("adapter"), adapterOfModel(adapted), { base: path("exported"), files: tokenizerFiles });
  const lowRank = (await adapted.logprobs(batch)).logprobs;
  assert(Math.abs(lowRank[0]![0]! - plain[0]![0]!) > 1e-3, "the adapter does something");
  adapted.release();

  const result: Exported[] = [
    { job: { ...job, folder }, ours: plain },
    { job, ours: plain },
    { job: { ...job, adapter: path("adapter") }, ours: lowRank },
  ];
  // Granite has no class for sequence classification in transformers.
  if (config.modelType === "granite") return result;
  const critic = LanguageModel.create(runtime, { ...config, head: "scalar" });
  const shape = [1, config.hiddenSize];
  tensors.delete("lm_head.weight");
  critic.weights.fromHuggingFace(tensors.set("score.weight", { shape, data: numbers(config.hiddenSize, 5) }));
  const scores = await critic.values({ prompts: rows, group: 1, completions: rows.map(() => [3, 3]) });
  result.push({ job: write("critic", critic), ours: scores.map((row) => row.slice(0, 1)) });
  critic.release();
  return result;
}

Deno.test({
  name: `transformers loads our export of every family, PEFT our adapter upon it, and both compute what we do${why}`,
  ignore: python === null,
  fn: () =>
    withFamilies(["--seed", "5", "--whole"], async (runtime, folder, names) => {
      const all: Exported[] = [];
      for (const name of names) {
        const own = join(folder, name);
        await withFamily(runtime, own, async (model, golden) => void all.push(...await exportAll(model, golden, own)));
      }
      const theirs = await logitsOf(all.map(({ job }) => job), folder);
      let most = 0;
      for (const [i, { job, ours }] of all.entries()) {
        const off = numbersOf(job, theirs[i]!).flatMap((row, r) => row.map((x, t) => Math.abs(x - ours[r]![t]!)));
        const worst = Math.max(...off);
        assert(worst < 1e-4, `${job.adapter ?? job.folder}: a number differs by ${worst}`);
        most = Math.max(most, worst);
      }
      console.log(`${all.length} folders by transformers and PEFT: largest difference ${most.toExponential(1)}`);
    }),
});
