/** Stock TRL on given rows, for tests that hold ours beside it. @module */
import { join } from "node:path";
import { existsSync } from "node:fs";

export interface TrlTask {
  /** Rows per update. */
  readonly batch: number;
  /** Options of TRL's config. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly rows: readonly unknown[];
}

/** What TRL logged at an update: `loss`, `grad_norm` and its metrics. */
export type TrlUpdate = Readonly<Record<string, number>>;

/**
 * A Python that has TRL: NONZERO_PEERS_PYTHON, or `.venv-peers/bin/python` in the project; null where neither is there.
 * `pip install torch trl` makes one.
 */
export function trlPython(): string | null {
  const named = Deno.env.get("NONZERO_PEERS_PYTHON");
  if (named) return named;
  const own = new URL("../../.venv-peers/bin/python", import.meta.url).pathname;
  return existsSync(own) ? own : null;
}

/** Runs a trainer of TRL on `task` from the checkpoint in `model`; its final weights are at `weights`. */
export async function trlUpdates(
  python: string,
  kind: "grpo" | "kto" | "dpo" | "sft",
  model: string,
  task: TrlTask,
  folder: string,
): Promise<{ readonly updates: TrlUpdate[]; readonly weights: string }> {
  const rows = join(folder, "rows.json"), script = new URL("trl_updates.py", import.meta.url).pathname;
  Deno.writeTextFileSync(rows, JSON.stringify(task));
  const args = [script, "--model", model, "--kind", kind, "--rows", rows, "--out", folder];
  const { success, stdout, stderr } = await new Deno.Command(python, { args, stdout: "piped", stderr: "piped" })
    .output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!success) throw new Error(`TRL failed:\n${text(stderr).slice(-2000)}`);
  const updates = text(stdout).trim().split("\n").map((line) => JSON.parse(line) as TrlUpdate);
  return { updates, weights: join(folder, "weights.safetensors") };
}
