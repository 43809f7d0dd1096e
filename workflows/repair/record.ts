/**
 * repairs.jsonl of a run: one line per decision, with the evidence, the change, and hashes of what it was made on.
 * @module
 */
import { join } from "node:path";
import { z } from "zod";
import { orElse, textIfThere } from "../../data/file_system.ts";
import { SetAside } from "../store/set_aside.ts";
import { isReadable, reasonOf, writeAll, writing } from "../store/write_file.ts";

export const REPAIRS_FILE = "repairs.jsonl";

const SCALAR = z.union([z.number(), z.string(), z.boolean()]);

const EDIT = z.strictObject({
  step: z.string().describe("step kind"),
  id: z.string().describe("id of the step"),
  key: z.string(),
  path: z.array(z.union([z.string(), z.number()])).readonly().describe("where the step stands in the document"),
  from: SCALAR.nullable().describe("the value in force before; null = not set"),
  to: SCALAR,
});

/** What run.json keeps of the values that a repair changed. */
export const KEPT_EDIT = EDIT.pick({ path: true, key: true, to: true }).strip();

const FORK = z.strictObject({
  run: z.string().describe("id of the fork's run"),
  status: z.string().describe("how it ended, or what it did when it was judged"),
  train_step: z.int().describe("train step at which it was judged"),
  fired: z.boolean().describe("the finding came again"),
  rewards: z.array(z.tuple([z.int(), z.number()])).describe("train step and mean reward up to there"),
});

const REPAIR_RECORD = z.strictObject({
  format: z.literal(1),
  number: z.int().min(1).describe("of this decision, over the run and its forks"),
  run: z.string().describe("the run that stopped"),
  decision: z.enum(["suggested", "accepted", "transient", "rejected", "refused", "interrupted"]).describe(
    "accepted: the patched fork goes on; transient: the plain fork goes on; refused: no fork was made",
  ),
  why: z.string(),
  cause: z.string(),
  codes: z.array(z.string()),
  severity: z.string(),
  first_step: z.int().describe("first train step at which the finding holds"),
  found_step: z.int().describe("train step at which it was found"),
  message: z.string(),
  evidence: z.unknown().describe("the rows that prove the finding"),
  change: z.array(EDIT).readonly().describe("values of the workflow that change"),
  workflow: z.strictObject({ before: z.string(), after: z.string().nullable() }).describe("sha256 of the plan's text"),
  checkpoint: z.strictObject({ checkpoint: z.string(), trainStep: z.int(), sha256: z.string() }).nullable().describe(
    "where both forks start; sha256 of its manifest, which holds the sha256 of every file",
  ),
  steps: z.int().nullable().describe("train steps after which the patched fork is judged"),
  plain: FORK.nullable(),
  patched: FORK.nullable(),
  comparison: z.strictObject({
    steps: z.int().describe("train steps that both forks have"),
    difference: z.number().nullable().describe(
      "mean reward of the patched fork minus that of the plain one; null without common steps",
    ),
    p: z.number().nullable().describe(
      "one-sided: chance of a difference at least as bad if the patch changed nothing; null below two steps",
    ),
    worse: z.boolean(),
  }).nullable(),
});

export type RepairRecord = z.output<typeof REPAIR_RECORD>;
/** One value of the document that a repair changed. */
export type Edit = z.output<typeof EDIT>;
/** A checkpoint to start from. */
export type ForkPoint = NonNullable<RepairRecord["checkpoint"]>;
/** What the comparison of two forks came to. */
export type Comparison = NonNullable<RepairRecord["comparison"]>;
export type ForkRecord = z.output<typeof FORK>;

/** True when forks were made for it: these count against the limits. */
export function wasTried({ decision }: RepairRecord): boolean {
  return decision === "accepted" || decision === "rejected";
}

/** Appends a decision, one write. */
export function appendRepair(folder: string, record: RepairRecord): void {
  const path = join(folder, REPAIRS_FILE);
  const bytes = new TextEncoder().encode(JSON.stringify(REPAIR_RECORD.parse(record)) + "\n");
  writing(path, bytes.length, () => {
    using file = Deno.openSync(path, { append: true, create: true });
    writeAll(file, bytes);
    file.syncSync();
  });
}

/**
 * Moves decisions that cannot be read aside and keeps the others: before a run goes on, not when it has ended. Returns
 * what was done.
 */
export function mendRepairs(folder: string): string[] {
  try {
    readRepairs(folder);
    return [];
  } catch (error) {
    const path = join(folder, REPAIRS_FILE), text = isReadable(path) ? Deno.readTextFileSync(path) : "";
    const kept = text.split("\n").flatMap((line) => parsed(line) ?? []);
    const to = new SetAside(folder).move(REPAIRS_FILE);
    for (const record of kept) appendRepair(folder, record);
    return [`${reasonOf(error)}; ${kept.length} decisions are kept, the file as it was is moved to ${to}`];
  }
}

/** Null for what is none: readRepairs says what is wrong with it. */
const parsed = (line: string) => orElse(() => REPAIR_RECORD.parse(JSON.parse(line)), null);

/** The decisions of a run so far; none without the file. Throws a SyntaxError that names the line. */
export function readRepairs(folder: string): RepairRecord[] {
  const path = join(folder, REPAIRS_FILE);
  return (textIfThere(path) ?? "").split("\n").filter((line) => line !== "").map((line, index) => {
    const record = parsed(line);
    if (record === null) throw new SyntaxError(`Cannot read ${path}: line ${index + 1} is no decision of a repair`);
    return record;
  });
}
