/**
 * One run, one verdict: judged while it runs, at its end, from its folder, and after each export.
 *
 *     deno task bench verdicts [--only shifted_mask,clean/grpo,…]
 *
 * Every workflow of workflows/library/failures and failures/clean is run in a temporary folder.
 */
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openRunFolder } from "../../data/open_run_folder.ts";
import type { RunDiagnosis } from "../../steps/diagnoses/diagnosis.ts";
import { STEPS } from "../../steps/mod.ts";
import { examine } from "../../workflows/doctor/examine.ts";
import { type RunFinding, runPlan } from "../../workflows/engine/run_plan.ts";
import { loadWorkflow } from "../../workflows/language/parse.ts";
import { planRuns } from "../../workflows/plan/plan_workflow.ts";
import { writeExport } from "../../workflows/cli/export_files.ts";
import {
  EXPORT_FORMATS,
  type ExportFormatName,
  exportSource,
  WHOLE_FORMATS,
} from "../../workflows/cli/export_formats.ts";
import { among, benchArguments, typed } from "./arguments.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const FAILURES = join(PROJECT, "workflows/library/failures");

export const EXPORTS: readonly ExportFormatName[] = WHOLE_FORMATS;

/** A verdict in one line: `faulty: group_integrity`. */
export type Said = string;

export interface Verdicts {
  readonly name: string;
  readonly status: string;
  /** Alarms while it ran, in the order in which they came. */
  readonly alarms: readonly string[];
  /** The verdict at its end, as run.json has it. */
  readonly live: Said;
  readonly stored: Said;
  readonly exported: Readonly<Record<ExportFormatName, Said>>;
}

const said = (verdict: string, causes: readonly string[]) => [verdict, ...causes.slice(0, 1)].join(": ");

function saidOf({ verdict, findings }: RunDiagnosis): Said {
  return said(verdict, findings.filter(({ severity }) => severity !== "info").map(({ cause }) => cause));
}

async function judged(path: string): Promise<Said> {
  const runs = await examine([path]);
  return runs.map(({ diagnosis }) => saidOf(diagnosis)).join(" | ");
}

/** What `export RUN --format F --out DIR` writes. */
function exportTo(folder: string, format: ExportFormatName, out: string): void {
  Deno.mkdirSync(out);
  writeExport(out, EXPORT_FORMATS[format].files(exportSource(openRunFolder(folder), format, out)));
}

/** Runs a workflow file and asks for its verdict in every way there is. */
export async function verdictsOf(file: string, params: Record<string, number>, runsFolder: string): Promise<Verdicts> {
  const plan = planRuns(await loadWorkflow(file, { kinds: STEPS }), STEPS, { params })[0]!;
  const alarms: string[] = [];
  const { folder, status, verdict } = await runPlan(plan, {
    runsFolder,
    projectFolder: PROJECT,
    onEvent(event) {
      if (event.event !== "finding" || event["severity"] === "info") return;
      const { cause, train_step } = event as unknown as RunFinding;
      alarms.push(`${cause}@${train_step}`);
    },
  });
  const live = verdict === null ? "none" : said(verdict.verdict, verdict.causes);
  const stored = await judged(folder);
  const exported: Record<string, Said> = {};
  for (const format of EXPORTS) {
    const out = join(runsFolder, `${basename(folder)}-${format}`);
    exportTo(folder, format, out);
    exported[format] = await judged(out);
    await Deno.remove(out, { recursive: true });
  }
  await Deno.remove(folder, { recursive: true });
  const name = file.replace(`${FAILURES}/`, "").replace(/\.yaml$/, "");
  return { name, status, alarms, live, stored, exported: exported as Verdicts["exported"] };
}

/** Ways of asking that do not give the run's own verdict. */
export function disagreements({ live, stored, exported, alarms }: Verdicts): string[] {
  return [
    ...(stored === live ? [] : ["stored"]),
    ...EXPORTS.filter((format) => exported[format] !== live),
    // What was an alarm while it ran is no healthy run afterwards, and the other way round.
    ...(alarms.length > 0 === live.startsWith("faulty") ? [] : ["alarms"]),
  ];
}

/** Every workflow of failures/ and of failures/clean/, by name. */
export async function failureFiles(): Promise<string[]> {
  const names = [];
  for (const folder of [FAILURES, join(FAILURES, "clean")]) {
    for await (const { name } of Deno.readDir(folder)) if (name.endsWith(".yaml")) names.push(join(folder, name));
  }
  return names.sort();
}

if (import.meta.main) {
  const nameOf = (file: string) => file.replace(`${FAILURES}/`, "").replace(/\.yaml$/, "");
  const files = await failureFiles(), known = files.map(nameOf);
  const only = typed(() => among("--only", benchArguments(Deno.args, { only: known.join(",") }).only, known));
  const runsFolder = await Deno.makeTempDir({ prefix: "nonzero-verdicts-" });
  const all: Verdicts[] = [];
  for (const file of files) {
    const name = nameOf(file);
    if (!only.includes(name)) continue;
    const verdicts = await verdictsOf(file, {}, runsFolder);
    all.push(verdicts);
    const { live, stored, exported, alarms } = verdicts, wrong = disagreements(verdicts);
    const others = Object.entries({ stored, ...exported }).filter(([, one]) => one !== live);
    console.log(
      `${name.padEnd(28)} ${live.padEnd(40)} alarms ${alarms.join(" ") || "none"}${
        others.map(([way, one]) => `\n  ${way}: ${one}`).join("")
      }${wrong.length ? `\n  DISAGREE: ${wrong.join(", ")}` : ""}`,
    );
  }
  console.log(`\nruns ${all.length}\n${"".padEnd(14)} another verdict   cannot tell`);
  for (const way of ["stored", ...EXPORTS, "alarms"] as const) {
    const other = all.filter((one) => disagreements(one).includes(way)).length;
    const open = all.filter(({ stored, exported }) =>
      (way === "stored" ? stored : way === "alarms" ? "" : exported[way]) === "insufficient"
    ).length;
    console.log(`${way.padEnd(14)} ${String(other).padStart(15)}   ${String(open).padStart(11)}`);
  }
  await Deno.remove(runsFolder, { recursive: true });
}
