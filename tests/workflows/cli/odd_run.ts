/** A run in whose tables everything stands that an export can get wrong, and the command that exports it. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { TableName } from "../../../data/columns.ts";
import { RUN_FILES, segmentPath } from "../../../data/run_folder.ts";
import { encodeTable, tableOfRows } from "../../../data/tables/mod.ts";
import { fabricateRun } from "./fabricated_run.ts";
import { inProcess } from "./in_process.ts";

export const ID = "20260102-030405-odd-aaaa";
/** A text that breaks what is written carelessly. */
export const ODD = 'line "one",\nline\ttwo | `three` ```four``` <b>é 🦕</b>\r\n=1+1\u2028';

export const METRICS = [
  { train_step: 1, phase: "sft", step_id: "fine_tune", loss: 0.5, grad_norm: 1 },
  { train_step: 2, phase: "rollout", step_id: "apply_update", loss: 0, reward: 0.25, grad_norm: 0.5, entropy: 1.5 },
  { train_step: 3, phase: "rollout", step_id: "apply_update", loss: NaN, reward: 0.75, grad_norm: Infinity },
  { train_step: 4, phase: "rollout", step_id: "apply_update", loss: -0.125, reward: 1, grad_norm: -Infinity, kl: 0.5 },
];
const COMPLETIONS = [2, 3, 4].flatMap((train_step) =>
  [0, 1].map((sample) => ({
    train_step,
    prompt_id: 0,
    sample,
    prompt: ODD,
    text: sample === 0 ? ODD : "",
    reward: sample,
    token_ids: [1, 2],
    "reward.a": sample,
    "reward.b": sample === 0 ? null : 0.5,
  }))
);
const EVALUATIONS = [true, false, true, true].map((correct, prompt_id) => ({
  train_step: 4,
  step_id: "after",
  mode: "greedy",
  prompt_id,
  prompt: ODD,
  text: ODD,
  correct,
}));
const GRADIENTS = ["a", "b", "c"].map((parameter, i) => ({ train_step: 4, parameter, grad_norm: i, update_norm: 1 }));
export const SETTINGS = [["learning_rate", "1e-6"], ["loss", '"clipped"'], ["suppress_tokens", "[1,2]"]].map((
  [name, value],
) => ({
  name,
  option: name,
  value,
  written_type: "number",
  system: "nonzero",
  source: "workflow",
}));

/** A run in whose tables everything stands that a format can get wrong; completions in two segments. */
export async function withOddRun(body: (runs: string) => Promise<void>): Promise<void> {
  const runs = await Deno.makeTempDir();
  try {
    const folder = fabricateRun(runs, ID, { train_step: 4 });
    Deno.removeSync(join(folder, RUN_FILES.tables), { recursive: true });
    const write = (name: TableName, rows: readonly Record<string, unknown>[], first: number, last: number) => {
      const path = join(folder, segmentPath(name, first, last));
      Deno.mkdirSync(join(path, ".."), { recursive: true });
      Deno.writeFileSync(path, encodeTable(name, tableOfRows(name, rows)));
    };
    write("metrics", METRICS, 1, 4);
    write("completions", COMPLETIONS.slice(0, 4).map(({ "reward.b": _, ...row }) => row), 1, 3);
    write("completions", COMPLETIONS.slice(4), 4, 4);
    write("evaluations", EVALUATIONS, 1, 4);
    write("gradients", GRADIENTS, 1, 4);
    write("settings", SETTINGS, 0, 0);
    await body(runs);
  } finally {
    await Deno.remove(runs, { recursive: true });
  }
}

/** `export RUN --format F`; the folder. */
export async function exportedTo(runs: string, format: string, ...more: readonly string[]): Promise<string> {
  const out = join(runs, "out", format);
  const { code, err } = await inProcess(["export", ID, "--format", format, "--out", out, "--runs", runs, ...more]);
  assert.equal(code, 0, err);
  return out;
}
