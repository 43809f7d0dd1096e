/** The doctor's report as JSON, with its published schema. @module */
import { z } from "zod";
import { LISTED } from "../../data/listed_train_steps.ts";
import { SEVERITIES } from "../../data/severity.ts";
import type { Cost } from "../../steps/diagnoses/cost/cost.ts";
import { type Waste, WASTES } from "../../steps/diagnoses/cost/waste.ts";
import type { Likely } from "../../steps/diagnoses/differential/differential.ts";
import { billOf, unbilled } from "./bill.ts";
import type { Examined } from "./examined.ts";
import { headline } from "./headline.ts";
import { howLines } from "./possible.ts";

const Number_ = z.union([z.number(), z.enum(["NaN", "Infinity", "-Infinity"])]);

const Value = z.union([
  z.number(),
  z.string(),
  z.boolean(),
  z.array(z.string()).readonly(),
  z.array(z.number()).readonly(),
]);

const FindingSchema = z.strictObject({
  cause: z.string().describe("name of the cause"),
  codes: z.array(z.string()).describe("catalogue codes that decided it"),
  severity: z.enum(SEVERITIES),
  train_steps: z.array(z.int()).describe(
    `where it holds; cut after ${LISTED} where train_steps_count is more: the fault goes on`,
  ),
  train_steps_count: z.int().describe("how many train steps the whole list has"),
  since: z.int().nullable().describe("the first of them; null where it is of no train step"),
  until: z.int().nullable().describe("the last of them, whether or not the list is cut"),
  message: z.string().describe("what was found"),
  hint: z.string().describe("what to do"),
  evidence: z.array(z.strictObject({
    table: z.string().optional().describe(
      "of a run of ours: the table; the row is that of train_step, the column name",
    ),
    source: z.string().nullable(),
    line: z.int().nullable(),
    train_step: z.int().nullable(),
    name: z.string(),
    value: z.union([Number_, z.string(), z.boolean(), z.null()]),
    note: z.string().optional(),
  })).describe("the rows that prove it"),
  remedy: z.strictObject({
    patches: z.array(z.strictObject({
      step: z.string().describe("kind of step"),
      key: z.string().describe("key of its `with`"),
      value: Value.nullable().optional().describe("what to write; null where the value in force is not known"),
      set: Value.optional().describe("this value"),
      where: Value.optional().describe("only where this is in force"),
      least: z.number().optional().describe("at least this"),
      mul: z.number().optional().describe("the value in force times this, within min and max"),
      min: z.number().optional(),
      max: z.number().optional(),
      usual: z.literal(true).optional().describe("the usual learning rate for the model's size, or as far as it"),
      share: z.number().optional().describe("with usual: this share of it"),
    })).describe("changes of our workflow, for runs of ours"),
    options: z.array(z.string()).describe("changes of another system's options, ready to copy"),
    by_hand: z.string().optional().describe("what no option does"),
  }),
  ruled_out: z.array(z.strictObject({ cause: z.string(), why: z.string() })),
  confirm: z.string().optional(),
});

const WeighedSchema = z.array(z.strictObject({
  text: z.string(),
  weight: z.number().describe("nats of log-odds"),
}));

const PossibleSchema = z.strictObject({
  cause: z.string(),
  probability: z.number().min(0).max(1).describe("that this is what is wrong with the run"),
  for: WeighedSchema.describe("what speaks for it"),
  against: WeighedSchema.describe("what speaks against it"),
  decide: z.strictObject({
    look: z.string().describe("name of the look"),
    about: z.string().describe("what to do"),
    if: z.string().describe("what it shows if it is this cause"),
    against: z.string().nullable().describe("the cause that it is told apart from"),
    else: z.string().nullable().describe("what it shows if it is that one; null where it shows this cause only"),
    how: z.array(z.string()).describe("options of the run's system and commands of ours, ready to copy"),
  }).nullable().describe("the one look that decides; null where the run shows it already"),
});

const CostSchema = z.strictObject({
  since: z.int().nullable().describe("train step"),
  share_of_run: z.number().nullable().describe("share of the train steps from there on"),
  waste: z.enum(Object.keys(WASTES) as [Waste, ...Waste[]]).describe("how it is measured: docs/rules.md"),
  rollouts: z.number().nullable().describe("share lost of all rollouts; of tokens, train steps or hours as waste says"),
  tokens: z.number().nullable().describe("tokens lost"),
  hours: z.number().nullable().describe("hours lost"),
  of: z.strictObject({ tokens: z.number().nullable(), hours: z.number().nullable() }).describe("all of the run"),
  gpu_hours: z.number().nullable(),
  money: z.number().nullable().describe("at --gpu-hour-cost"),
  currency: z.string().optional(),
  missing: z.array(z.string()).describe("what would tell the figures that are null"),
});

/** One object per path (per run where a file holds several). */
export const DIAGNOSIS_SCHEMA = z.strictObject({
  path: z.string(),
  part: z.string().optional().describe("which run of a file that holds several"),
  system: z.string().nullable(),
  algorithm: z.string().nullable(),
  verdict: z.enum(["faulty", "benign", "insufficient"]),
  findings: z.array(FindingSchema).describe("most likely first"),
  headline: z.string().describe("since when, why, how much was lost, what to change: for a tired person"),
  differential: z.array(PossibleSchema).describe(
    "causes that the evidence leaves possible, most likely first; what is missing to 1 is that it is none of them",
  ),
  cost: CostSchema.nullable().describe(
    "what was lost since the onset of the first finding; null where nothing is wrong",
  ),
  after_effects: z.array(z.string()).describe("causes that fired too and follow from those above"),
  missing: z.array(z.string()).describe("files or columns that would decide"),
  reasons: z.array(z.string()),
  reading: z.array(z.string()).describe("what was read and what was not"),
}).meta({ title: "Nonzero diagnosis" });

type DiagnosisJson = z.output<typeof DIAGNOSIS_SCHEMA>;

/** The object for one run. Numbers that JSON lacks become their names. */
export function jsonReport(examined: Examined): DiagnosisJson {
  const { diagnosis } = examined;
  return {
    path: examined.path,
    ...(examined.part ? { part: examined.part } : {}),
    system: examined.system,
    algorithm: examined.algorithm,
    verdict: diagnosis.verdict,
    findings: diagnosis.findings.map((f) => ({
      cause: f.cause,
      codes: [...f.codes],
      severity: f.severity,
      train_steps: [...f.train_steps],
      train_steps_count: f.cut?.count ?? f.train_steps.length,
      since: f.train_steps[0] ?? null,
      until: f.cut?.until ?? f.train_steps.at(-1) ?? null,
      message: f.message,
      hint: f.hint,
      evidence: f.evidence.map((e) => ({
        ...e,
        value: typeof e.value === "number" && !Number.isFinite(e.value) ? String(e.value) as "NaN" : e.value,
      })),
      remedy: { ...f.remedy, patches: f.remedy.patches.map((p) => ({ ...p })), options: [...f.remedy.options] },
      ruled_out: f.ruled_out.map((r) => ({ ...r })),
      ...(f.confirm ? { confirm: f.confirm } : {}),
    })),
    headline: headline(examined),
    differential: diagnosis.differential.map((entry) => possibleJson(entry, examined)),
    cost: diagnosis.cost === undefined ? null : costJson(diagnosis.cost, examined),
    after_effects: diagnosis.afterEffects.map((f) => f.cause),
    missing: [...diagnosis.missing],
    reasons: [...diagnosis.reasons],
    reading: [...examined.reading],
  };
}

function possibleJson({ cause, probability, decide, ...evidence }: Likely, examined: Examined) {
  const weighed = (pieces: Likely["for"]) => pieces.map(({ says, weight }) => ({ text: says, weight }));
  return {
    cause,
    probability,
    for: weighed(evidence.for),
    against: weighed(evidence.against),
    decide: decide === undefined ? null : {
      look: decide.look,
      about: decide.about,
      if: decide.if,
      against: decide.against,
      else: decide.else,
      how: howLines(decide, examined),
    },
  };
}

function costJson(cost: Cost, examined: Examined) {
  const { since, share_of_run, waste, rollouts, tokens, hours, of, missing } = cost;
  const { currency, ...bill } = billOf(cost, examined.machine);
  return {
    ...{ since, share_of_run, waste, rollouts, tokens, hours, of: { ...of } },
    ...bill,
    ...(currency === null ? {} : { currency }),
    missing: [...new Set([...missing, ...unbilled(examined)])],
  };
}
