import assert from "node:assert/strict";
import { tableOfRows } from "../../data/tables/mod.ts";
import { dpoLoss, type DpoLossName } from "../../gpu/losses/preferences/dpo_losses.ts";
import { trainPreferences } from "../../steps/train_preferences.ts";
import { same } from "../same.ts";
import { sum, sums } from "./contexts/sequence_sums.ts";
import { lists, ONE_LAYER, type TrainingRun, withTinyPolicy } from "./contexts/training_run.ts";

const GIVEN = { max_updates: 3, batch_size: 4, learning_rate: 1e-2, epsilon: 1e-8, beta2: 0.999 };
const LABELLED = { form: "unpaired" };

const withPolicy = (body: (run: TrainingRun) => Promise<void>, preferences: Record<string, unknown> = {}, model = {}) =>
  withTinyPolicy(async (run) => {
    await run.run("load_preferences", { task: "addition", digits: 1, ...preferences });
    await body(run);
  }, { ...ONE_LAYER, reference: "copy", ...model });
const train = (run: TrainingRun, given: Record<string, unknown>, options = {}) =>
  run.run("train_preferences", { ...GIVEN, ...given }, options);
const history = (run: TrainingRun, name: string) =>
  run.tables.history("metrics", 10_000).objects().map((row) => (row as Record<string, number | null>)[name]!);
const problems = (given: Record<string, unknown>) =>
  trainPreferences.check!(trainPreferences.params.parse({ ...GIVEN, ...given })).join("\n");
const near = (value: number, want: number, what: string, tolerance = 1e-4) =>
  assert(Math.abs(value - want) <= tolerance * (1 + Math.abs(want)), `${what}: ${value}, want ${want}`);
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

Deno.test("train_preferences by dpo starts at log 2 and learns which completion is better, held-out pairs too", () =>
  withPolicy(async (run) => {
    write(
      run,
      Array.from({ length: 96 }, (_, i) => ({
        prompt: `${i}=`,
        chosen: `${i % 5}a`,
        rejected: `${i % 7}b`,
        split: i < 80 ? "train" : "validation",
      })),
    );
    const { outputs } = await train(run, { loss: "dpo", max_updates: 30, batch_size: 16, evaluate_every: 15 });
    const { updates, accuracy, margin, epochs } = outputs as Record<string, number>;
    assert.equal(updates, 30);
    assert(epochs! > 5 && margin! > 0, `epochs ${epochs}, margin ${margin}`);
    const losses = history(run, "loss");
    near(losses[0]!, Math.LN2, "first loss", 1e-5);
    assert(losses.at(-1)! < 0.45, `loss ${losses.at(-1)}`);
    assert(accuracy! > 0.9, `accuracy ${accuracy}`);
    const margins = history(run, "reward_margin");
    assert(Math.abs(margins[0]!) < 1e-4 && margins.at(-1)! > 0.3, `${margins}`);
    assert.deepEqual(
      new Set(run.tables.history("metrics", 99).objects().map((row) => (row as { phase: string }).phase)),
      new Set(["preference"]),
    );
    assert.deepEqual(
      history(run, "validation_accuracy").map((value) => value !== null),
      losses.map((_, i) => (i + 1) % 15 === 0),
    );
    assert.equal(run.settings()["algorithm"]!.value, "dpo");
  }));

type Labelled = { prompt: string; completion: string; label: boolean; split: string };
const trainRows = <Row extends { split: string }>(run: TrainingRun, from: number, count: number) =>
  (run.tables.table("preferences").objects() as Row[]).filter(({ split }) => split === "train").slice(
    from,
    from + count,
  );

Deno.test("train_preferences by kto: loss, KL of mismatched pairs and rewards of an update as plain arithmetic", () =>
  withPolicy(async (run) => {
    const given = { loss: "kto", beta: 0.3, desirable_weight: 1.5, undesirable_weight: 0.5, batch_size: 8 };
    await train(run, { ...given, max_updates: 2 });
    // The third update, from the weights after the second: on rows 16 to 23.
    const rows = trainRows<Labelled>(run, 16, 8);
    const { ours, theirs } = await sums(run, rows);
    const moved = await sums(run, rows.map(({ prompt }, i) => ({ prompt, completion: rows.at(i - 1)!.completion })));
    const z = Math.max(0, sum(moved.ours.map((value, i) => value - moved.theirs[i]!)) / 8);
    const ratios = ours.map((value, i) => value - theirs[i]!);
    const loss = sum(rows.map(({ label }, i) =>
      label ? 1.5 * (1 - sigmoid(0.3 * (ratios[i]! - z))) : 0.5 * (1 - sigmoid(0.3 * (z - ratios[i]!)))
    )) / 8;
    await train(run, { ...given, max_updates: 3 }, { position: 2 });
    const row = run.tables.table("metrics").objects()[0] as Record<string, number>;
    near(row["loss"]!, loss, "loss");
    near(row["kl"]!, z, "kl", 1e-3);
    assert(Math.abs(sum(moved.ours) - sum(moved.theirs)) > 0.01, "the mismatched pairs moved");
    const of = (label: boolean) =>
      rows.flatMap((row, i) =>
        row.label === label ? [0.3 * ratios[i]!] : []
      );
    near(row["chosen_reward"]!, sum(of(true)) / of(true).length, "chosen", 1e-3);
    near(row["rejected_reward"]!, sum(of(false)) / of(false).length, "rejected", 1e-3);
  }, LABELLED));

Deno.test("train_preferences by dpo: loss, rewards, logits and token accuracy of an update as plain arithmetic", () =>
  withPolicy(async (run) => {
    await train(run, { loss: "dpo", beta: 0.3, max_updates: 2 });
    type Pair = { prompt: string; chosen: string; rejected: string; split: string };
    const rows = trainRows<Pair>(run, 8, 4);
    const chosen = await sums(run, rows.map(({ prompt, chosen }) => ({ prompt, completion: chosen })));
    const rejected = await sums(run, rows.map(({ prompt, rejected }) => ({ prompt, completion: rejected })));
    const c = chosen.ours.map((value, i) => 0.3 * (value - chosen.theirs[i]!));
    const r = rejected.ours.map((value, i) => 0.3 * (value - rejected.theirs[i]!));
    await train(run, { loss: "dpo", beta: 0.3, max_updates: 3 }, { position: 2 });
    const row = run.tables.table("metrics").objects()[0] as Record<string, number>;
    near(row["loss"]!, -sum(c.map((value, i) => Math.log(sigmoid(value - r[i]!)))) / 4, "loss");
    near(row["chosen_reward"]!, sum(c) / 4, "chosen", 1e-3);
    near(row["reward_margin"]!, sum(c.map((value, i) => value - r[i]!)) / 4, "margin", 1e-3);
    near(row["chosen_logprob"]!, sum(chosen.ours) / 4, "log-prob");
    near(row["preference_accuracy"]!, c.filter((value, i) => value > r[i]!).length / 4, "accuracy");
    assert(row["token_accuracy"]! >= 0 && row["token_accuracy"]! <= 1 && Number.isFinite(row["chosen_logits"]!));
  }));

Deno.test("train_preferences keeps the reference's log-probs: the same weights as asking it with every update", async () => {
  const weights: Float32Array[] = [], kept: boolean[] = [];
  for (const [precompute_reference, shuffle] of [[true, false], [false, false], [true, true], [false, true]]) {
    await withPolicy(async (run) => {
      // Two epochs: in another order the mismatched pairs of the second are others.
      await train(run, { loss: "kto", precompute_reference, max_updates: 12, batch_size: 8, shuffle });
      weights.push(run.weights());
      const table = run.tables.table("preferences");
      kept.push(table.column("mismatched_ref_logprobs") !== undefined);
      if (!precompute_reference) return;
      const [row] = trainRows<Labelled>(run, 0, 1),
        at = (table.objects() as Labelled[]).findIndex((other) =>
          other.prompt === row!.prompt && other.completion === row!.completion
        );
      const { theirs } = await sums(run, [row!]);
      near(sum(lists(table, "ref_logprobs")[at]!), theirs[0]!, "kept");
    }, LABELLED);
  }
  assert.deepEqual(kept, [true, false, false, false]);
  for (const asked of [1, 3]) {
    weights[asked - 1]!.forEach((value, i) => assert(Math.abs(value - weights[asked]![i]!) < 1e-4, `${asked} ${i}`));
  }
});

Deno.test("train_preferences keeps the reference's log-probs of those rows alone that its updates read", () =>
  withPolicy(async (run) => {
    for (const shuffle of [false, true]) {
      await train(run, { loss: "kto", max_updates: 2, batch_size: 4, shuffle });
      const asked = lists(run.tables.table("preferences"), "ref_logprobs").filter(({ length }) => length > 0);
      assert.equal(asked.length, 8, `shuffle ${shuffle}`);
    }
  }, LABELLED));

Deno.test("train_preferences adds gradients up: two batches of four are one of eight for a loss of pairs", async () => {
  const weights: Float32Array[] = [], losses: number[] = [];
  const split = [{ batch_size: 8 }, { batch_size: 4, gradient_accumulation: 2 }, {
    batch_size: 8,
    prompts_per_pass: 3,
  }];
  for (const given of split) {
    await withPolicy(async (run) => {
      await train(run, { loss: "dpo", max_updates: 2, ...given });
      weights.push(run.weights());
      losses.push(history(run, "loss")[1]!);
    });
  }
  for (const other of [1, 2]) {
    near(losses[other]!, losses[0]!, "loss", 1e-5);
    const worst = weights[0]!.reduce((most, value, i) => Math.max(most, Math.abs(value - weights[other]![i]!)), 0);
    assert(worst < 1e-3, `${worst}`);
  }
});

Deno.test("train_preferences stopped at any update and resumed is bitwise the same", async () => {
  for (const [given, data] of [[{ loss: "dpo", shuffle: true }, {}], [{ loss: "kto" }, LABELLED]] as const) {
    let want: Float32Array = new Float32Array(), losses: number[] = [];
    await withPolicy(async (run) => {
      await train(run, given);
      [want, losses] = [run.weights(), history(run, "loss")];
    }, data);
    await withPolicy(async (run) => {
      const safePoint = (position?: number) => {
        if (position === 2) throw new Error("stop");
      };
      await assert.rejects(() => train(run, given, { safePoint }), /stop/);
      await train(run, given, { position: 2 });
      same(run.weights(), want, given.loss);
      assert.deepEqual(history(run, "loss"), losses);
    }, data);
  }
});

const write = (run: TrainingRun, rows: Record<string, unknown>[]) =>
  run.tables.write({
    preferences: tableOfRows(
      "preferences",
      rows.map((row, preference_id) => ({ preference_id, split: "train", ...row })),
    ),
  }, "test");

Deno.test("train_preferences refuses what cannot be learned from, counted and named", () =>
  withPolicy(async (run) => {
    const pairs = Array.from(
      { length: 6 },
      (_, i) => ({ prompt: `${i}+1=`, chosen: `${i + 1}`, rejected: i < 2 ? `${i + 1}` : "0" }),
    );
    write(run, pairs);
    await assert.rejects(
      () => train(run, { loss: "dpo" }),
      /2 pairs have equal completions: nothing to learn from.*rows 0, 1 of/,
    );
    await train(run, { loss: "dpo", check_data: false, max_updates: 1 });
    await assert.rejects(() => train(run, { loss: "kto" }), /table "preferences" holds pairs; .* set form: unpaired/);
    write(run, pairs.map((row, i) => ({ ...row, chosen: i ? row.chosen : "" })));
    await assert.rejects(() => train(run, { loss: "dpo" }), /1 completions are empty/);
    write(run, [{ prompt: "1+1=", chosen: "22222a", rejected: "22222b" }]);
    const cut = { loss: "dpo", batch_size: 1, max_length: 8 };
    await assert.rejects(() => train(run, cut), /equal completions after they are cut to max_length/);
    await assert.rejects(() => train(run, { ...cut, max_length: 4 }), /prompts leave no room/);
    write(run, Array.from({ length: 4 }, (_, i) => ({ prompt: `${i}+1=`, completion: `${i}`, label: true })));
    await assert.rejects(
      () => train(run, { loss: "kto" }),
      /all 4 completions of split "train" are desirable, want undesirable/,
    );
    await train(run, { loss: "kto", check_data: false, max_updates: 1 });
    assert.equal(history(run, "rejected_reward").at(-1), null);
    const vanilla = { loss: "kto_vanilla", unsafe: true, check_data: false };
    await assert.rejects(() => train(run, vanilla), /a batch of update 1 has one class only/);
    await assert.rejects(
      () => train(run, { loss: "dpo" }),
      /holds labelled completions; load a set of pairs, or train with loss kto/,
    );
    await assert.rejects(
      () => train(run, { loss: "kto", batch_size: 5, check_data: false }),
      /has 4 rows, want at least 5/,
    );
    await assert.rejects(
      () => train(run, { loss: "kto", check_data: false, evaluate_every: 1 }),
      /no row of split "validation"/,
    );
  }));

Deno.test("train_preferences needs a reference, unless it is told to do without", () =>
  withPolicy(
    async (run) => {
      await assert.rejects(
        () => train(run, { loss: "dpo" }),
        /the reference is none; set reference of load_model, or reference_free/,
      );
      await train(run, { loss: "dpo", reference_free: true, max_updates: 1 });
      const row = run.tables.table("metrics").objects()[0] as Record<string, number>;
      near(row["chosen_reward"]!, 0.1 * row["chosen_logprob"]!, "reward without a reference");
      assert.equal(run.tables.table("preferences").column("chosen_ref_logprobs"), undefined);
    },
    {},
    { reference: "none" },
  ));

Deno.test("train_preferences with a non-finite weight stops, leaves the weights bitwise and says where", () =>
  withPolicy(async (run) => {
    await train(run, { loss: "kto", max_updates: 1 });
    const weights = run.weights();
    weights.fill(NaN, 0, 64);
    run.policy.model.weights.values.upload(weights);
    await assert.rejects(
      () => train(run, { loss: "kto" }, { position: 1 }),
      /loss NaN and gradient norm NaN at train step 2/,
    );
    same(run.weights(), weights);
    assert.match(run.column<string>("messages", "text").join(), /^weight /);
  }, LABELLED));

Deno.test("train_preferences trains with the vanilla loss only when told that it is unsafe", () =>
  withPolicy(async (run) => {
    await train(run, { loss: "kto_vanilla", unsafe: true, batch_size: 16, max_updates: 1 });
    near(history(run, "loss")[0]!, 0.5, "at the reference", 1e-4);
    assert.equal(run.settings()["kto_vanilla_loss"]!.value, true);
    assert.match(
      problems({ loss: "kto_vanilla" }),
      /Cannot train with loss kto_vanilla: .*gradient through.*unsafe: true/,
    );
    assert.match(problems({ loss: "kto_vanilla", unsafe: true, prompts_per_pass: 2 }), /needs all of it at once/);
  }, LABELLED));

Deno.test("train_preferences says at once which options cannot work or change nothing", () => {
  assert.equal(problems({ loss: "dpo" }), "");
  assert.equal(problems({ loss: "kto" }), "");
  assert.match(problems({ loss: "kto", batch_size: 1 }), /Cannot take KTO's KL from a batch of 1/);
  assert.match(problems({ loss: "dpo", dpo_loss: "aot", prompts_per_pass: 2 }), /needs all of it at once/);
  assert.match(problems({ loss: "kto", label_smoothing: 0.1 }), /Cannot use "label_smoothing": loss is kto, want dpo/);
  assert.match(
    problems({ loss: "dpo", label_smoothing: 0.1 }),
    /dpo_loss sigmoid does not read it, want sigmoid_smoothed/,
  );
  const two = { loss: "dpo", dpo_loss: ["sigmoid", "sft"] };
  assert.match(problems({ ...two, loss_weights: [0, 0] }), /Cannot weigh losses by \[0, 0\]: want no weight below 0/);
  assert.match(problems({ ...two, loss_weights: [1, -1] }), /Cannot weigh losses by \[1, -1\]/);
  assert.equal(problems({ ...two, loss_weights: [1, 0] }), "");
  assert.match(problems({ loss: "kto", desirable_weight: 0, undesirable_weight: 0 }), /are 0, want one above 0/);
  assert.match(problems({ loss: "dpo", evaluate_limit: 3 }), /there is no evaluate_every/);
  assert.match(
    problems({ loss: "dpo", reference_free: true, precompute_reference: false }),
    /"precompute_reference": reference_free is true, so that no reference is asked; nothing would change/,
  );
  for (const one of [{ reference_free: true }, { precompute_reference: false }]) {
    assert.equal(problems({ loss: "dpo", ...one }), "", JSON.stringify(one));
  }
});

Deno.test("train_preferences starts every loss of pairs at its value for equal policies, in the real graph", () =>
  withPolicy(async (run) => {
    const B = 0.25, smoothing = 0.2, log2 = Math.LN2;
    const want: Partial<Record<DpoLossName, number>> = {
      sigmoid: log2,
      sigmoid_smoothed: log2,
      hinge: 1,
      ipo: 1 / (4 * B * B),
      ipo_sum: 1 / (4 * B * B),
      exo_pair: 0.5 * Math.log(0.5 / (1 - smoothing)) + 0.5 * Math.log(0.5 / smoothing),
      nca_pair: 2 * log2,
      robust: log2,
      bco_pair: 2 * log2,
      sppo_hard: 2 / (4 * B * B),
      aot: log2,
      aot_unpaired: log2,
      apo_zero: 1,
      apo_down: 1,
      discopop: 0.5 * log2 + 0.5,
      sigmoid_norm: log2,
    };
    for (const [dpo_loss, value] of Object.entries(want)) {
      const reads = dpoLoss(dpo_loss as DpoLossName).smoothing !== undefined;
      const given = { dpo_loss, beta: B, ...(reads ? { label_smoothing: smoothing } : {}) };
      await train(run, { loss: "dpo", max_updates: 1, learning_rate: 0, ...given });
      near(history(run, "loss").at(-1)!, value, dpo_loss);
      assert(history(run, "grad_norm").at(-1)! > 0, dpo_loss);
    }
    // The likelihood of the chosen tokens is a mean over all of them, however they are dealt out to the pairs.
    await train(run, { loss: "dpo", dpo_loss: "sft", max_updates: 1, learning_rate: 0 });
    const pairs = trainRows<{ prompt: string; chosen: string; split: string }>(run, 0, GIVEN.batch_size);
    const { ours } = await sums(run, pairs.map(({ prompt, chosen }) => ({ prompt, completion: chosen })));
    const tokens = pairs.reduce((total, { chosen }) => total + run.policy.encodeAnswer(chosen).length, 0);
    near(history(run, "loss").at(-1)!, -ours.reduce((a, b) => a + b, 0) / tokens, "sft");
    // A policy that guesses finds its completions as likely as any: every weight is 1. One that has learned does not.
    const weighted = async () => {
      await train(run, { loss: "dpo", max_updates: 1, learning_rate: 0, use_weighting: true });
      return history(run, "loss").at(-1)!;
    };
    near(await weighted(), log2, "weighted", 1e-3);
    await run.run("fine_tune", { max_updates: 10, batch_size: 8, learning_rate: 1e-2 });
    const learned = await weighted();
    assert(learned > 0 && Math.abs(learned - log2) > 1e-2, `${learned}`);
  }));

Deno.test("train_preferences by kto takes the KL of each accumulated batch from that batch, as TRL does", () =>
  withPolicy(async (run) => {
    await train(run, { loss: "kto", max_updates: 3, batch_size: 8 });
    // From here the reference is apart from the policy: a kept copy of before.
    const at = { loss: "kto", batch_size: 4, learning_rate: 0, beta: 0.5 };
    await train(run, { ...at, max_updates: 2 });
    const [first, second] = history(run, "loss").slice(-2), kls = history(run, "kl").slice(-2);
    await train(run, { ...at, max_updates: 1, gradient_accumulation: 2 });
    near(history(run, "loss").at(-1)!, (first! + second!) / 2, "loss");
    near(history(run, "kl").at(-1)!, (kls[0]! + kls[1]!) / 2, "kl");
    assert(Math.abs(first! - second!) > 1e-4, "two batches that differ");
  }, LABELLED));

Deno.test("train_preferences by kto with max_length reads no sequence that is longer, mismatched pairs neither", () =>
  withPolicy(async (run) => {
    // A long prompt with a short completion beside a short one with a long completion: together they are too long.
    const text = (count: number) => "1234567890".repeat(30).slice(0, count), { maxPositions } = run.policy.model.config;
    const rows = Array.from({ length: 8 }, (_, i) => ({
      prompt: text(i % 2 ? maxPositions - 20 : 10) + "=",
      completion: text(i % 2 ? 5 : maxPositions - 30),
      label: i % 3 > 0,
      split: "train",
    }));
    write(run, rows);
    const longest: number[] = [], { logprobs } = run.policy.model, model = run.policy.model;
    model.logprobs = (sequences, options) => {
      longest.push(...sequences.completions.map((ids, r) => ids.length + sequences.prompts[r]!.length));
      return logprobs.call(model, sequences, options);
    };
    await train(run, { loss: "kto", max_updates: 1, batch_size: 8, max_length: maxPositions });
    assert(longest.length > 0 && Math.max(...longest) <= maxPositions, `${Math.max(...longest)}`);
    assert(Number.isFinite(history(run, "kl").at(-1)!));
  }, LABELLED));
