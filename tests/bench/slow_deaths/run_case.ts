/** Runs the workflow of a case, and writes the case's folder: log, settings, completions, label. @module */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { openRunFolder, type RunFolder } from "../../../data/open_run_folder.ts";
import { TASKS } from "../../../data/tasks/mod.ts";
import { STEPS } from "../../../steps/mod.ts";
import { runPlan } from "../../../workflows/engine/run_plan.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import type { Plan } from "../../../workflows/plan/plan.ts";
import { planRuns } from "../../../workflows/plan/plan_workflow.ts";
import { type Base, BASES, type Document, NUMERIC, OTHER, type Size, SWAPPED, warmDocument } from "./documents.ts";
import { completionRows, logRows, settingLines } from "./record.ts";

const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));

/** The plan of a document; paths in it are relative to `folder`. */
export function planOf(document: Document, folder: string): Plan {
  const loaded = parseWorkflow(JSON.stringify(document), `${document.name}.yaml`, { folder, kinds: STEPS });
  return planRuns(loaded, STEPS, { params: {} })[0]!;
}

/** Where runs and warm models lie, and the prompts and pairs that are read from files. */
export async function openWork(folder: string): Promise<void> {
  await Deno.mkdir(join(folder, "warm"), { recursive: true });
  const { task: _, ...options } = BASES.sort.prompts, { sorting_digits: sorting, addition } = TASKS;
  const strings = sorting.rows(sorting.params.parse(options)).map(({ prompt, answer }) => ({ prompt, answer }));
  const sums = addition.rows(addition.params.parse({ digits: 1 })).map(({ prompt, answer }) => ({ prompt, answer }));
  const every = <T extends object>(rows: readonly T[], most: string, eighth: string) =>
    rows.map((row, i) => ({ ...row, split: i % 8 === 0 ? eighth : most }));
  const pairs = strings.map(({ prompt, answer }, i) => {
    const wrong = strings[(i * 7 + 1) % strings.length]!.answer, [a, b] = i % 9 < 4 ? [wrong, answer] : [answer, wrong];
    return { prompt, chosen: a, rejected: b };
  });
  const files = {
    [String(NUMERIC["file"])]: strings,
    [BASES.mixed.prompts.file]: [...every(strings, "train", "held_out"), ...every(sums, "train", "validation")],
    [String(OTHER["file"])]: [...every(strings, "train", "held_out"), ...every(sums, "validation", "validation")],
    [String(SWAPPED["file"])]: pairs.filter(({ chosen, rejected }) => chosen !== rejected),
  };
  for (const [name, rows] of Object.entries(files)) {
    await Deno.writeTextFile(join(folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  }
}

/** Runs a document and hands its folder to `read`; throws an Error where it does not end well. */
export async function runDocument<T>(
  document: Document,
  work: string,
  read: (run: RunFolder) => T | Promise<T>,
): Promise<T> {
  const result = await runPlan(planOf(document, work), { runsFolder: join(work, "runs"), projectFolder: PROJECT });
  try {
    if (result.status !== "ok") throw new Error(`${document.name}: ${result.status}: ${result.reason}`);
    return await read(openRunFolder(result.folder));
  } finally {
    await Deno.remove(result.folder, { recursive: true });
  }
}

/** Makes the warm model of a base where there is none. */
export async function warmModel(base: Base, size: Size, seed: number, work: string): Promise<void> {
  const folder = warmFolder(base, size, seed, work);
  if (await Deno.stat(folder).then(() => true, () => false)) return;
  await runDocument(warmDocument(base, size, seed), work, (run) => {
    Deno.renameSync(exportedFolder(run.path), folder);
  });
}

export const warmFolder = (base: Base, size: Size, seed: number, work: string) =>
  join(work, "warm", `${base}_${size}_${seed}`);

function exportedFolder(run: string): string {
  const within = (folder: string): string[] =>
    [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
      isDirectory ? within(join(folder, name)) : name === "config.json" ? [folder] : []
    );
  return within(run)[0]!;
}

/** The folder of a case is there all at once: what is not finished has another name. */
export async function writeCase(run: RunFolder, folder: string, label: object, zip: boolean): Promise<void> {
  const made = `${folder}.part`;
  await Deno.mkdir(made, { recursive: true });
  const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  const write = (name: string, text: string) =>
    zip
      ? Deno.writeFile(join(made, `${name}.gz`), gzipSync(text, { level: 9 }))
      : Deno.writeTextFile(join(made, name), text);
  await write("log.jsonl", lines(logRows(run)));
  const completions = completionRows(run);
  if (completions.length > 0) await write("completions.jsonl", lines(completions));
  await Deno.writeTextFile(join(made, "config.txt"), settingLines(run));
  await Deno.writeTextFile(join(made, "label.json"), `${JSON.stringify(label, null, 1)}\n`);
  await Deno.rename(made, folder);
}
