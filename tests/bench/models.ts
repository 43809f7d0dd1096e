/**
 * Real sizes: a folder with random weights in Qwen2.5-0.5B's exact shape and a tokenizer of 151,665 tokens, made once.
 *
 *     deno task bench models [--only load,decode/int8,…] [--folder DIR] [--threads 2] [--json]
 *
 * Parts: load, tokenizer, decode, …; a part is one line in tests/bench/models/mod.ts. Each of its trials runs in a process of
 * its own, so that its peak memory is its own. The folder (1 GB) lies in the user's cache unless --folder says where. What
 * is measured against Python wants one in NONZERO_PEERS_PYTHON (torch, transformers) and says so where there is none.
 * @module
 */
import { join, resolve } from "node:path";
import { callerFolder, PROJECT } from "../../workflows/terminal/paths.ts";
import { denoRun } from "../../workflows/cli/install.ts";
import { benchArguments, typed } from "./arguments.ts";
import { UsageError } from "../../workflows/terminal/usage_error.ts";
import { type Figure, figureLine, met } from "./models/figure.ts";
import { cachedFolder, QWEN2_HALF_BILLION } from "./models/folder.ts";
import { PARTS } from "./models/mod.ts";
import { peakRssMb } from "./rows.ts";

/** `part/trial` of every trial that a list names: a part stands for all of its own. Throws UsageError for what is none. */
export function chosenTrials(only: string, parts = PARTS): string[] {
  const all = Object.entries(parts).flatMap(([part, { trials }]) =>
    Object.keys(trials).map((trial) => `${part}/${trial}`)
  );
  const wanted = only.split(",").filter((name) => name !== "");
  const unknown = wanted.find((name) => !Object.hasOwn(parts, name) && !all.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(
      `Cannot read --only: it has "${unknown}", want ${Object.keys(parts).join(" | ")} or one of ${all.join(", ")}`,
    );
  }
  return wanted.length === 0
    ? all
    : all.filter((name) => wanted.includes(name) || wanted.includes(name.split("/")[0]!));
}

/** Where the folder of the benchmark lies where none is given. */
export function defaultFolder(): string {
  const cache = Deno.env.get("XDG_CACHE_HOME") ??
    join(Deno.env.get("HOME") ?? Deno.env.get("LOCALAPPDATA") ?? ".", ".cache");
  return join(cache, "nonzero", "bench", "qwen2_half_billion");
}

/** One trial in this process; its figures are the last line of the output, as JSON. */
async function runTrial(name: string, folder: string, threads: number): Promise<void> {
  const [part, trial] = name.split("/") as [string, string];
  const figures = await PARTS[part]!.trials[trial]!({ folder, threads });
  console.log(JSON.stringify({ figures, peak_rss_mb: peakRssMb() }));
}

/** The same in a process of its own. */
async function trialInChild(name: string, folder: string, threads: string): Promise<Figure[]> {
  const args = denoRun("tests/bench/models.ts", ["--trial", name, "--folder", folder, "--threads", threads]);
  const { success, stdout } = await new Deno.Command(Deno.execPath(), { args, cwd: PROJECT, stderr: "inherit" })
    .output();
  const lines = new TextDecoder().decode(stdout).trim().split("\n"), last = lines.pop()!;
  for (const line of lines) console.error(line);
  if (!success) return [{ what: "did not end", value: NaN, unit: "" }];
  const { figures, peak_rss_mb } = JSON.parse(last) as { figures: Figure[]; peak_rss_mb: number };
  return [...figures, { what: "peak memory of the process", value: peak_rss_mb, unit: "MiB" }];
}

if (import.meta.main) {
  const given = typed(() => benchArguments(Deno.args, { only: "", folder: "", threads: "2", json: false, trial: "" }));
  const folder = given.folder === "" ? defaultFolder() : resolve(callerFolder(), given.folder);
  if (given.trial !== "") {
    await runTrial(given.trial, folder, Number(given.threads));
    Deno.exit(0);
  }
  const names = typed(() => chosenTrials(given.only));
  cachedFolder(folder, QWEN2_HALF_BILLION, (line) => console.error(line));
  let missed = 0;
  for (const name of names) {
    for (const figure of await trialInChild(name, folder, given.threads)) {
      if (met(figure) === false) missed++;
      console.log(given.json ? JSON.stringify({ trial: name, ...figure, met: met(figure) }) : figureLine(name, figure));
    }
  }
  Deno.exit(missed > 0 ? 1 : 0);
}
