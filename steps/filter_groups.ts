/** The step `filter_groups`: dynamic sampling, which trains on groups that teach something. @module */
import type { ColumnTable } from "arquero";
import { z } from "zod";
import { TABLES } from "../data/columns.ts";
import type { Cost, CostFacts } from "./cost/cost.ts";
import { rowsBytes } from "./cost/memory.ts";
import { groupRows } from "../data/statistics/mod.ts";
import { columnArray, emptyTable, tableOf, tableOfRows } from "../data/tables/mod.ts";
import { firstGroups, type JudgedGroup, judgeGroups, KEEP } from "./groups/judge.ts";
import { replayedGroups } from "./groups/replay.ts";
import { joinRows, pickRows } from "./groups/rows.ts";
import { type SampleGroups, samplingCost } from "./sample_groups.ts";
import { SETTING_COLUMNS, settingValues, writeSettings } from "./options/settings_table.ts";
import { withoutEffect } from "./options/without_effect.ts";
import { defineStep, type StepContext } from "./step.ts";

const params = z.strictObject({
  keep: z.enum(Object.keys(KEEP) as (keyof typeof KEEP)[]).default("spread").describe(
    "spread: groups whose rewards differ (DAPO); range: groups whose mean lies between two bounds (OpenRLHF); all: every " +
      "group, only pass rates are kept",
  ),
  metric: z.string().min(1).default("reward").describe("what is looked at: reward, correct, or the name of a reward"),
  range: z.tuple([z.number(), z.number()]).default([0, 1]).describe("of keep: range, both bounds left out"),
  groups: z.int().min(1).optional().describe("groups wanted; prompts_per_step of sample_groups if absent"),
  max_batches: z.int().min(1).default(10).describe(
    "samplings in one train step, the first included, until enough groups passed",
  ),
  too_few: z.enum(["fewer", "stop", "replay"]).default("fewer").describe(
    "when the last sampling leaves too few groups: train on fewer (on what was sampled, where none passed); stop the run; " +
      "or fill up with groups of earlier train steps",
  ),
  replay_steps: z.int().min(1).max(15).default(8).describe("train steps that groups are replayed from"),
  multiple_of: z.int().min(1).default(1).describe(
    "fewer groups are cut to a multiple of this: minibatches of apply_update",
  ),
});

type Params = z.output<typeof params>;

const KEPT_COLUMNS = Object.keys(TABLES.kept) as (keyof typeof TABLES.kept)[];

export const filterGroups = defineStep({
  about: "Keep the groups that teach something, and sample again until there are enough",
  params,
  reads: {
    completions: ["prompt_id", "sample", "reward", { column: "correct", optional: true }],
    kept: [{ column: "prompt_id", optional: true }],
    groups: [{ column: "generation_batch", optional: true }],
    settings: [{ column: "name", optional: true }, { column: "value", optional: true }],
  },
  writes: {
    completions: ["replayed_from"],
    kept: KEPT_COLUMNS,
    groups: Object.keys(TABLES.groups) as (keyof typeof TABLES.groups)[],
    settings: SETTING_COLUMNS,
  },
  timedAs: "score",
  cost: filterCost,
  outputs: z.object({
    sampled: z.int().describe("groups sampled in this train step"),
    passed: z.int().describe("groups that the filter let pass"),
    groups: z.int().describe("groups to train on"),
    replayed: z.int().describe("groups of earlier train steps among them"),
    batches: z.int().describe("samplings of this train step"),
  }),
  check(given) {
    const unless = (idle: boolean, names: Exclude<keyof Params, "groups">[], why: string) =>
      idle ? withoutEffect<Exclude<keyof Params, "groups">>(given, params.shape, names, why) : [];
    const { keep, range: [low, high] } = given;
    return [
      ...unless(keep !== "range", ["range"], `keep is ${keep}, want range`),
      ...unless(keep === "all", ["metric", "max_batches", "too_few"], "keep is all, want spread or range"),
      ...unless(given.too_few !== "replay", ["replay_steps"], `too_few is ${given.too_few}, want replay`),
      ...(low < high ? [] : [`Cannot keep groups between ${low} and ${high}: want the lower bound first`]),
    ];
  },
  run(given, context) {
    const fresh = context.table("completions"), before = context.table("groups");
    if (!fresh.numRows()) throw new RangeError('Cannot filter groups: table "completions" has no rows');
    const judge = (completions: ColumnTable) => judgeGroups(completions, given.metric, given.keep, given.range);
    const judged = judge(fresh), batch = batchesOf(before) + 1, wanted = wantedGroups(given, context);
    writeSettings(context, {
      filter_groups: given.keep,
      filter_metric: given.metric,
      ...(given.keep === "range" ? { filter_range: given.range } : {}),
      max_generation_batches: given.max_batches,
    });
    const kept = joinRows([
      waiting(context.table("kept")),
      pickRows(fresh, judged.flatMap(({ passed, rows }) => passed ? rows : [])),
    ]);
    const groups = joinGroups(before, groupTable(judged, batch, context.trainStep));
    const found = kept.numRows() ? groupRows(kept).length : 0;
    const counts = { sampled: groups.numRows(), passed: passedOf(groups), batches: batch };
    if (found < wanted && batch < given.max_batches && given.keep !== "all") {
      return {
        tables: { groups, kept: keptTable(kept, batch) },
        outputs: { ...counts, groups: found, replayed: 0 },
        again: "sample_groups",
      };
    }
    return finished(given, context, { kept, fresh, wanted, groups, counts, judge });
  },
});

interface Filtered {
  readonly kept: ColumnTable;
  readonly fresh: ColumnTable;
  readonly wanted: number;
  readonly groups: ColumnTable;
  readonly counts: { readonly sampled: number; readonly passed: number; readonly batches: number };
  readonly judge: (completions: ColumnTable) => readonly JudgedGroup[];
}

/** The completions to train on. */
function finished(given: Params, context: StepContext, filtered: Filtered) {
  const { kept, fresh, wanted, groups, counts, judge } = filtered;
  const enough = pickRows(kept, kept.numRows() ? firstGroups(kept, wanted) : []);
  const missing = wanted - (enough.numRows() ? groupRows(enough).length : 0);
  const { sampled, passed, batches } = counts;
  if (missing > 0 && given.keep !== "all" && given.too_few === "stop") {
    throw new RangeError(
      `Cannot fill the train step with ${wanted} groups: ${passed} of ${sampled} passed the filter in ${batches} samplings; ` +
        "raise max_batches, use prompts of mixed difficulty, or set too_few: fewer",
    );
  }
  const replayed = missing > 0 && given.too_few === "replay"
    ? replayedGroups(context.history("completions", given.replay_steps + 1), {
      trainStep: context.trainStep,
      count: missing,
      size: groupRows(fresh)[0]!.length,
      present: new Set(Array.from(idsOf(enough))),
      judge,
    })
    : null;
  const filled = joinRows(replayed ? [enough, replayed] : [enough]);
  const rows = toTrainOn(given, context, filled, fresh, wanted);
  return {
    tables: { completions: rows, groups, kept: emptyTable("kept") },
    outputs: {
      ...counts,
      groups: groupRows(rows).length,
      replayed: replayed && rows !== fresh ? groupRows(replayed).length : 0,
    },
  };
}

/** All groups, or as many as fit the minibatches; where none passed, what was sampled last, which teaches nothing. */
function toTrainOn(
  given: Params,
  context: StepContext,
  filled: ColumnTable,
  fresh: ColumnTable,
  wanted: number,
): ColumnTable {
  const count = filled.numRows() ? groupRows(filled).length : 0;
  const whole = count >= wanted ? count : count - count % given.multiple_of;
  const tell = (text: string) => context.emit({ event: "message", text });
  if (whole === 0) {
    tell(`No group passed the filter: the last sampling is trained on as it is`);
    return withOrigin(fresh);
  }
  if (whole < wanted && given.keep !== "all") {
    tell(`${whole} of ${wanted} groups passed the filter: the train step is smaller`);
  }
  return withOrigin(pickRows(filled, firstGroups(filled, whole)));
}

/** With the column `replayed_from`, null where it is missing. */
function withOrigin(completions: ColumnTable): ColumnTable {
  if (completions.column("replayed_from")) return completions;
  const replayed_from = new Array<null>(completions.numRows()).fill(null);
  return completions.assign(tableOf("completions", { replayed_from }));
}

function wantedGroups({ groups }: Params, context: StepContext): number {
  const sampled = settingValues(context.table("settings")).get("prompts_per_step");
  if (groups !== undefined) return groups;
  if (typeof sampled === "number") return sampled;
  throw new RangeError("Cannot filter groups: no sample_groups says how many prompts a train step has; set groups");
}

const idsOf = (completions: ColumnTable) =>
  completions.numRows() ? columnArray(completions, "prompt_id") as ArrayLike<number> : [];

function batchesOf(groups: ColumnTable): number {
  if (!groups.numRows()) return 0;
  return Math.max(...Array.from(columnArray(groups, "generation_batch") as ArrayLike<number>));
}

const passedOf = (groups: ColumnTable) => Array.from(columnArray(groups, "passed")).filter(Boolean).length;

function groupTable(judged: readonly JudgedGroup[], batch: number, trainStep: number): ColumnTable {
  return tableOfRows(
    "groups",
    judged.map(({ rows, promptId, reward, passRate, passed }) => ({
      train_step: trainStep,
      prompt_id: promptId,
      generation_batch: batch,
      completions: rows.length,
      reward: reward.count ? reward.mean : null,
      reward_std: reward.count > 1 ? reward.std : null,
      reward_spread: reward.count > 1 ? reward.spread : null,
      pass_rate: passRate,
      passed,
    })),
  );
}

const rowsOf = (table: ColumnTable) => table.objects() as Record<string, unknown>[];
const joinGroups = (before: ColumnTable, now: ColumnTable) =>
  before.numRows() ? tableOfRows("groups", [...rowsOf(before), ...rowsOf(now)] as never) : now;

function keptTable(kept: ColumnTable, batch: number): ColumnTable {
  if (!kept.numRows()) return emptyTable("kept");
  const columns = kept.columnNames().map((name) => [name, columnArray(kept, name)] as const);
  const generation_batch = new Array<number>(kept.numRows()).fill(batch);
  return tableOf("kept", { ...Object.fromEntries(columns), generation_batch });
}

/** The rows of `kept` as completions. */
function waiting(kept: ColumnTable): ColumnTable {
  const names = kept.columnNames().filter((name) => name !== "generation_batch");
  return tableOf("completions", Object.fromEntries(names.map((name) => [name, columnArray(kept, name)])));
}

/** The samplings after the first, at their most, and the rows of all of them beside those that may be replayed. */
function filterCost({ keep, max_batches, too_few, replay_steps }: Params, facts: CostFacts): Cost | null {
  const sampled = facts.earlier("sample_groups") as SampleGroups | null;
  if (sampled === null) return null;
  const again = keep === "all" ? 0 : max_batches - 1, { flops, peak } = samplingCost(sampled, facts);
  const { prompts_per_step: prompts, group_size: group, max_new_tokens } = sampled;
  const kept = again + (too_few === "replay" ? replay_steps : 0);
  return {
    flops: again * flops,
    trainSteps: 0,
    peak: {
      key: "max_batches",
      bytes: peak.bytes + rowsBytes(kept * prompts * group, max_new_tokens),
      what: `${again + 1} samplings of ${prompts} × ${group} completions of up to ${max_new_tokens} tokens`,
      remedy: "lower max_batches, or prompts_per_step of sample_groups",
    },
  };
}
