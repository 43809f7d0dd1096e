/**
 * Runs a plan; when a finding stops it, suggests the remedy or tries it on forks and goes on with what helped.
 *
 * The causes are tried in the order of the run's differential; the next one where nothing is left to try of the one before.
 * The protocol (one cause, one change, bounded): fork A resumes plainly, fork B with the change, both from the last good
 * checkpoint before the finding's first train step, with the same seeds. A runs first: if the finding does not come again
 * it was transient and A goes on. Otherwise B must be free of it for k = max(20, 2 x the train steps from checkpoint to
 * finding) and earn no less than A; then B goes on to the end without being run again.
 * @module
 */
import { join } from "node:path";
import { z } from "zod";
import { type RunOptions, runPlan, type RunResult } from "../engine/run_plan.ts";
import type { Plan } from "../plan/plan.ts";
import { readManifest, writeManifest } from "../store/manifest.ts";
import { repairLine } from "./advice.ts";
import { isRefusedAltogether, stoppingFinding, suspectsOf } from "./changes.ts";
import { editPlan } from "./patch_plan.ts";
import { appendRepair, KEPT_EDIT, mendRepairs, readRepairs, type RepairRecord, wasTried } from "./record.ts";
import { type Link, Repair } from "./repair.ts";

export interface RepairedRun extends RunResult {
  /** The run that was started; `runId` is that of the fork that went on, if one did. */
  readonly firstRunId: string;
  /** Decisions on this run and its forks, oldest first. */
  readonly repairs: readonly RepairRecord[];
  /** Lines for the person. */
  readonly advice: readonly string[];
}

/** What run.json of a fork says of its origin. */
const LINEAGE = z.object({
  root: z.string().optional(),
  continued_by: z.string().optional(),
  edits: z.array(KEPT_EDIT).default([]),
});

/** Like runPlan, with `repair: suggest | apply` of the workflow. A resume goes on with the fork that was accepted. */
export async function runWithRepair(plan: Plan, options: RunOptions): Promise<RepairedRun> {
  const { link: first, root } = await start(plan, options);
  const rootFolder = join(options.runsFolder, root);
  let link = first;
  let advice: string[] = [];
  const before = readRepairs(rootFolder).length;
  let passed: readonly string[] = [];
  for (;;) {
    const finding = suspectsOf(link.result).find(({ cause }) => !passed.includes(cause)) ?? null;
    if (finding === null || plan.settings.repair === "off") break;
    const earlier = readRepairs(rootFolder), stopping = stoppingFinding(link.result)!.cause;
    const repair = new Repair(link, finding, root, options, earlier, stopping);
    const { record, next, lines } = plan.settings.repair === "suggest" ? await repair.suggest() : await repair.apply();
    appendRepair(rootFolder, record);
    advice = [...advice, ...lines];
    if (next !== null) {
      const { runId } = next.result;
      addToManifest(link.result.folder, { continued_by: runId });
      link = next;
      passed = [];
    }
    if (record.decision === "refused" && !isRefusedAltogether(finding, earlier.filter(wasTried))) {
      passed = [...passed, finding.cause];
      continue;
    }
    if (record.decision !== "accepted" && record.decision !== "transient" && record.decision !== "rejected") break;
  }
  const repairs = readRepairs(rootFolder);
  if (repairs.length > before) {
    const said = repairs.map(repairLine);
    for (const id of new Set([root, link.result.runId])) addToManifest(join(options.runsFolder, id), { repairs: said });
  }
  return { ...link.result, firstRunId: root, repairs, advice };
}

/** Runs the plan, or goes on with the last run of a chain of accepted forks. */
async function start(plan: Plan, options: RunOptions): Promise<{ link: Link; root: string }> {
  if (options.resume === undefined) {
    const result = await runPlan(plan, options);
    return { link: { result, plan, edits: [] }, root: result.runId };
  }
  let id = options.resume;
  let manifest = readManifest(join(options.runsFolder, id));
  let lineage = LINEAGE.parse(manifest);
  while (lineage.continued_by !== undefined) {
    id = lineage.continued_by;
    manifest = readManifest(join(options.runsFolder, id));
    lineage = LINEAGE.parse(manifest);
  }
  const edited = lineage.edits.length === 0 ? plan : editPlan(plan, lineage.edits);
  const kept = Object.fromEntries(
    ["root", "parent", "repair", "edits", "repairs"].flatMap((key) => key in manifest ? [[key, manifest[key]]] : []),
  );
  const root = lineage.root ?? id;
  const notes = [...options.notes ?? [], ...mendRepairs(join(options.runsFolder, root))];
  const result = await runPlan(edited, { ...options, notes, resume: id, manifest: { ...options.manifest, ...kept } });
  return { link: { result, plan: edited, edits: lineage.edits }, root };
}

function addToManifest(folder: string, keys: Readonly<Record<string, unknown>>): void {
  writeManifest(folder, { ...readManifest(folder), ...keys });
}
