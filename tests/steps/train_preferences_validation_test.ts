/** What train_preferences measures on rows that it does not train on: against the reference, as plain arithmetic. */
import assert from "node:assert/strict";
import { sum, sums } from "./contexts/sequence_sums.ts";
import { ONE_LAYER, type TrainingRun, withTinyPolicy } from "./contexts/training_run.ts";

const BETA = 0.3, LIMIT = 24;
const GIVEN = { batch_size: 4, learning_rate: 3e-2, epsilon: 1e-8, beta2: 0.999, beta: BETA };

type Row = Readonly<Record<"prompt" | "chosen" | "rejected" | "completion" | "split", string>> & { label: boolean };

/** Six updates, then a seventh that moves nothing and measures; returns what it measured, and the rows. */
async function measured(run: TrainingRun, given: Record<string, unknown>) {
  await run.run("train_preferences", { ...GIVEN, ...given, max_updates: 6 });
  const still = { learning_rate: 0, max_updates: 1, evaluate_every: 1, evaluate_limit: LIMIT };
  await run.run("train_preferences", { ...GIVEN, ...given, ...still });
  const row = run.tables.table("metrics").objects().at(-1) as Record<string, number>;
  const rows = run.tables.table("preferences").objects() as Row[];
  return {
    accuracy: row["validation_accuracy"]!,
    margin: row["validation_margin"]!,
    rows: rows.filter(({ split }) => split === "validation").slice(0, LIMIT),
  };
}

const withPreferences = (preferences: Record<string, unknown>, body: (run: TrainingRun) => Promise<void>) =>
  withTinyPolicy(async (run) => {
    await run.run("load_preferences", { task: "addition", digits: 1, ...preferences });
    await body(run);
  }, { ...ONE_LAYER, reference: "copy" });

const near = (value: number, want: number, what: string) =>
  assert(Math.abs(value - want) <= 1e-4 * (1 + Math.abs(want)), `${what}: ${value}, want ${want}`);
const mean = (values: readonly number[]) => sum(values) / values.length;
const share = (values: readonly number[], holds: (value: number, i: number) => boolean) =>
  values.filter(holds).length / values.length;

for (const precompute_reference of [true, false]) {
  const how = precompute_reference ? "kept" : "asked";
  Deno.test(`train_preferences measures pairs of the split validation by margins over the reference, ${how}`, () =>
    withPreferences({}, async (run) => {
      const { accuracy, margin, rows } = await measured(run, { loss: "dpo", precompute_reference });
      const chosen = await sums(run, rows.map(({ prompt, chosen }) => ({ prompt, completion: chosen })));
      const rejected = await sums(run, rows.map(({ prompt, rejected }) => ({ prompt, completion: rejected })));
      const margins = rows.map((_, i) =>
        BETA * (chosen.ours[i]! - chosen.theirs[i]! - rejected.ours[i]! + rejected.theirs[i]!)
      );
      near(margin, mean(margins), "margin");
      near(accuracy, share(margins, (value) => value > 0), "accuracy");
      const without = rows.map((_, i) => chosen.ours[i]! - rejected.ours[i]!);
      assert.notEqual(accuracy, share(without, (value) => value > 0), "the reference decides about some pairs");
    }));

  Deno.test(`train_preferences measures labelled completions by their side of the reference, ${how}`, () =>
    withPreferences({ form: "unpaired" }, async (run) => {
      const { accuracy, margin, rows } = await measured(run, { loss: "kto", precompute_reference });
      const { ours, theirs } = await sums(run, rows), ratios = ours.map((value, i) => value - theirs[i]!);
      const of = (label: boolean) => mean(ratios.filter((_, i) => rows[i]!.label === label));
      near(margin, BETA * (of(true) - of(false)), "margin");
      near(accuracy, share(ratios, (ratio, i) => (ratio > 0) === rows[i]!.label), "accuracy");
      assert(new Set(ratios.map((ratio) => ratio > 0)).size === 2, "completions on both sides");
    }));
}
