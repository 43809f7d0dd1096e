/**
 * The workflow document: every key a workflow file may have, with its type, default and meaning.
 *
 * One zod schema serves YAML files, TypeScript objects, the editor (workflow.schema.json) and the documentation. What
 * `with` holds depends on the step kind and is checked by plan/; `env` is left out: parameters are not environment.
 * @module
 */
import { z } from "zod";
import { orElse } from "../../data/file_system.ts";
import type { Step } from "../../steps/step.ts";
import { fiveFields, readCron } from "./cron_expression.ts";

/** Every step kind by its name: `STEPS` of steps/mod.ts, or a small table in a test. */
// deno-lint-ignore no-explicit-any
export type StepKinds = Readonly<Record<string, Step<any, any>>>;

const NAME = /^[a-z][a-z0-9_]*$/;
const WANT_NAME = "want snake_case: a letter a to z, then letters, digits and _";

/** A name in a workflow: an id, a parameter, a matrix axis. */
const Name = z.string().regex(NAME, WANT_NAME);

/** A whole value that is one look-up; its type is the type of what it finds. */
const Expression = z.string({ error: "want an expression: ${{ params.NAME }}" }).regex(
  /^\s*\$\{\{[^]*\}\}\s*$/,
  {
    error: "want an expression: ${{ params.NAME }}",
    abort: true,
  },
).meta({
  id: "expression",
  description: "A look-up: ${{ params.NAME }}, ${{ matrix.NAME }}, ${{ steps.ID.outputs.NAME }} or ${{ run.NAME }}",
});

/** The value, or a look-up of `params` or `matrix` that gives it. */
function orExpression<T extends z.ZodType>(schema: T) {
  return z.union([schema, Expression]);
}

const Scalar = z.union([z.number(), z.string(), z.boolean()]);
const Value = z.union([z.number(), z.string(), z.boolean(), z.array(Scalar)]);

const Cron = z.string().regex(/^\s*[\d*,/A-Za-z-]+(\s+[\d*,/A-Za-z-]+){4}\s*$/, {
  error: ({ input }) => fiveFields(String(input)),
  abort: true,
}).superRefine((text, context) => {
  const read = readCron(text);
  if ("minutes" in read) return;
  for (const { message, offset } of read) context.addIssue({ code: "custom", message, params: { offset } });
});

/**
 * The name as the IANA spells it: this program would read `europe/berlin` and `+02:00` too, and systemd and Kubernetes
 * refuse them.
 */
const Timezone = z.string().refine(
  (timeZone) => zoneName(timeZone) === timeZone,
  { error: ({ input }) => `want an IANA time zone, such as "${zoneName(String(input)) ?? "Europe/Berlin"}"` },
);

/** How the time zone is spelled; null for what is none. */
function zoneName(text: string): string | null {
  const known = orElse(() => new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone, null);
  if (known === null || /^[+-]/.test(text)) return null;
  // A second name of a zone (Asia/Kolkata) is given as its first: of that all that is known is how names are written.
  const isOtherName = known.toLowerCase() !== text.toLowerCase();
  return isOtherName && /^[A-Z]/.test(text) && !/\/[a-z]/.test(text) ? text : known;
}

/** What a scheduled run is told of, and to whom. */
const Notify = z.strictObject({
  on: z.array(z.enum(["failure", "finding"])).min(1).default(["failure", "finding"]).describe(
    "failure: it failed or could not start; finding: a diagnosis of warning or worse, also one that stopped it",
  ),
  command: z.array(z.string().min(1)).min(1).optional().describe(
    "A program with its arguments, started in the workflow's folder; it reads what happened as JSON from standard input",
  ),
  webhook: z.url({ protocol: /^https?$/, error: "want an address that begins with https:// or http://" }).optional()
    .describe("An address that what happened is sent to as JSON, by POST"),
}).refine(({ command, webhook }) => command !== undefined || webhook !== undefined, {
  error: '"notify" tells nobody: want "command" or "webhook"',
});

const ScheduleEntry = z.strictObject({
  cron: Cron.describe("Minute, hour, day of month, month, day of week"),
  timezone: Timezone.optional().describe("IANA time zone; UTC if absent"),
  catch_up: z.enum(["none", "one"]).default("none").describe(
    "What becomes of times that were missed, as the machine was off: nothing, or one run for all of them",
  ),
  new_seed: z.boolean().default(false).describe(
    "Each scheduled run draws anew: its seed is the time it is for, in minutes since 1970",
  ),
  notify: Notify.optional().describe("Who is told of a failure or a finding"),
  keep_runs: z.int().min(1).optional().describe(
    "How many of the last scheduled runs stay; the newest that has a model, and those that run, always do",
  ),
});

const Condition = z.union([z.string(), z.boolean()]);

/** What a workflow file and the command line may ask for. */
export const DEVICES = ["auto", "cpu", "cuda"] as const;
const BACKENDS = ["ffi", "napi"] as const;

const Retry = z.strictObject({
  max: z.int().min(0).max(10).describe("How often a failed step is tried again"),
  delay: z.number().min(0).default(1).describe("Seconds before the first new try"),
  backoff: z.number().min(1).default(2).describe("Factor by which the delay grows from try to try"),
});

export const StepEntry = z.strictObject({
  id: Name.optional().describe("Name for steps.ID.outputs.NAME; the step kind's name if absent"),
  name: z.string().optional().describe("What a person reads; the id if absent"),
  uses: z.string().describe("The step kind"),
  with: z.record(z.string(), z.unknown()).default({}).describe("The step kind's parameters"),
  if: Condition.optional().describe(
    "Runs only if this holds: always(), failure(), or a look-up compared with a literal",
  ),
  every: orExpression(z.int().min(1)).optional().describe("Inside repeat: runs on every n-th round only"),
  retry: Retry.optional(),
  "timeout-minutes": orExpression(z.number().positive()).optional().describe("The step fails after this many minutes"),
  "continue-on-error": z.boolean().default(false).describe("The run goes on when the step has failed"),
  cache: z.boolean().default(false).describe("Reuses the rows of an equal earlier step (pure step kinds only)"),
}).meta({ id: "step" });

const RepeatEntry = z.strictObject({
  name: z.string().optional().describe("What a person reads"),
  repeat: orExpression(z.int().min(1)).describe("How many rounds at most; one round is one train step"),
  until: Condition.optional().describe("Stops after a round in which this holds"),
  get steps(): z.ZodArray<z.ZodUnion<readonly [typeof StepEntry, typeof RepeatEntry]>> {
    return z.array(z.union([StepEntry, RepeatEntry])).min(1);
  },
}).meta({ id: "repeat" });

const Matrix = z.object({
  include: z.array(z.record(Name, Scalar)).optional().describe("Combinations to add, or values to add to combinations"),
  exclude: z.array(z.record(Name, Scalar)).optional().describe("Combinations to leave out"),
}).catchall(z.array(Scalar).min(1));

/** Successive halving: the words of its paper are those of Ray's and Optuna's schedulers in brackets. */
const Halving = z.strictObject({
  metric: z.string().describe(
    "What runs are judged by: metrics.COLUMN, its mean over the last 10 train steps, or evaluations.MODE, the last one",
  ),
  mode: z.enum(["max", "min"]).default("max").describe("Whether a high value is good, or a low one"),
  first: z.int().min(1).describe(
    "Train steps after which runs are compared first (grace_period of Ray, min_resource of Optuna)",
  ),
  factor: z.int().min(2).default(2).describe(
    "The best 1/factor go on, rounded up, and are compared again after factor times as many train steps (reduction_factor)",
  ),
});

export const WorkflowDocument = z.strictObject({
  name: Name.describe("Name of the workflow; the run's id starts with it"),
  about: z.string().default("").describe("What it is for, in one sentence"),
  on: z.strictObject({
    schedule: z.array(ScheduleEntry).min(1),
  }).optional().describe("When `cron install` starts it"),
  params: z.record(Name, Value).default({}).describe("Values that `-p name=value` may override"),
  seed: orExpression(z.int().min(0).max(0xffffffff)).default(0).describe("Key of every random draw"),
  device: orExpression(z.enum(DEVICES)).default("auto").describe("Where tensors are computed"),
  backend: orExpression(z.enum(BACKENDS)).optional().describe("How ONNX Runtime is called; ffi, else napi, if absent"),
  threads: orExpression(z.int().min(1).max(1024)).optional().describe(
    "Intra-op threads; the machine's cores if absent",
  ),
  deterministic: orExpression(z.boolean()).default(false).describe(
    "One thread, no batch of one: rows ignore their batch",
  ),
  checkpoint: z.strictObject({
    every: orExpression(z.int().min(1)).default(20).describe("Train steps between checkpoints"),
    keep: orExpression(z.int().min(1)).default(2).describe("How many of the last checkpoints stay"),
    best: z.string().optional().describe("Also keep the one where this is highest: evaluations.MODE or metrics.COLUMN"),
  }).prefault({}),
  keep_completions: orExpression(z.union([z.int().min(0), z.literal("all")])).default("all")
    .describe("Of how many of the last train steps the completions stay on disk"),
  concurrency: z.strictObject({
    group: z.string().min(1).describe("Only one run of a group at a time; the second exits 75"),
  }).optional(),
  repair: z.enum(["off", "suggest", "apply"]).default("suggest").describe("What happens with the remedy of a finding"),
  faults: z.array(z.looseObject({ kind: z.string() })).default([]).describe(
    "Faults to inject, for tests of the doctor",
  ),
  strategy: z.strictObject({
    matrix: Matrix.describe("Axes: the run is repeated for every combination of values"),
    "max-parallel": z.int().min(1).default(1).describe("How many runs at the same time, each with its own threads"),
    "fail-fast": z.boolean().optional().describe(
      "A failed run keeps the others from starting; true if absent, false with halving, where it is merely the worst",
    ),
    halving: Halving.optional().describe(
      "Stops hopeless runs early (successive halving): all run up to a train step, the best of them go on",
    ),
  }).optional(),
  steps: z.array(z.union([StepEntry, RepeatEntry])).min(1).describe("What is done, in this order"),
}).meta({ title: "Nonzero workflow" });

/** A workflow as read, with every default in place. */
export type WorkflowDocument = z.output<typeof WorkflowDocument>;
export type StepEntry = z.output<typeof StepEntry>;
type RepeatEntry = z.output<typeof RepeatEntry>;
/** `strategy.halving`. */
export type Halving = z.output<typeof Halving>;
/** One entry of `on.schedule`. */
export type ScheduleEntry = z.output<typeof ScheduleEntry>;
export type Entry = StepEntry | RepeatEntry;
/** A value of `params` or of the matrix. */
export type Value = z.output<typeof Value>;
export type Scalar = z.output<typeof Scalar>;

export function isRepeat<T extends object>(entry: T): entry is Extract<T, { repeat: unknown }> {
  return "repeat" in entry;
}

/** The text of a look-up, where TypeScript would want the value itself. */
type ExpressionText = `\${{${string}}}`;

type Expressible<T> = T extends readonly (infer Item)[] ? readonly Expressible<Item>[] | ExpressionText
  : T extends object ? { readonly [Key in keyof T]: Expressible<T[Key]> } | ExpressionText
  : T | ExpressionText;

type StepInput<Kinds extends StepKinds> =
  & Omit<z.input<typeof StepEntry>, "uses" | "with">
  & {
    [Kind in keyof Kinds & string]: {
      uses: Kind;
      with?: {
        readonly [Key in keyof z.input<Kinds[Kind]["params"]>]: Expressible<z.input<Kinds[Kind]["params"]>[Key]>;
      };
    };
  }[keyof Kinds & string];

type RepeatInput<Kinds extends StepKinds> = Omit<z.input<typeof RepeatEntry>, "steps"> & { steps: EntryInput<Kinds>[] };

type EntryInput<Kinds extends StepKinds> = StepInput<Kinds> | RepeatInput<Kinds>;

/** A workflow as a person writes it in TypeScript; with a table of step kinds the editor knows their parameters. */
export type WorkflowInput<Kinds extends StepKinds = StepKinds> =
  & Omit<z.input<typeof WorkflowDocument>, "steps">
  & { steps: EntryInput<Kinds>[] };
