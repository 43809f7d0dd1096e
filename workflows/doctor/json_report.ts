/** The doctor's report as JSON, with its published schema. @module */
import { z } from "zod";
import { SEVERITIES } from "../../data/severity.ts";
import type { Examined } from "./examined.ts";

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
  train_steps: z.array(z.int()).describe("where it holds"),
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

/** One object per path (per run where a file holds several). */
export const DIAGNOSIS_SCHEMA = z.strictObject({
  path: z.string(),
  part: z.string().optional().describe("which run of a file that holds several"),
  system: z.string().nullable(),
  algorithm: z.string().nullable(),
  verdict: z.enum(["faulty", "benign", "insufficient"]),
  findings: z.array(FindingSchema).describe("most likely first"),
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
    after_effects: diagnosis.afterEffects.map((f) => f.cause),
    missing: [...diagnosis.missing],
    reasons: [...diagnosis.reasons],
    reading: [...examined.reading],
  };
}
