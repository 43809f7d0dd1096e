/** Everything that reads prompts of a model with a tower reads their images: other pictures, other numbers. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { tableOfRows } from "../../data/tables/mod.ts";
import { editJson, modelFolder } from "./contexts/model_folders.ts";
import { lists, type TrainingRun } from "./contexts/training_run.ts";
import { exchangeImages, SCENES, visualRollout, withVisual } from "./contexts/visual_run.ts";

const WARM = { model: "warm_visual" };
const TRAINER = { learning_rate: 1e-3, old_logprobs: "trainer" };
const flat = (run: TrainingRun, name: string) => lists(run.tables.table("completions"), name).flat();
const gap = (a: readonly number[], b: readonly number[]) => {
  assert.equal(a.length, b.length);
  return Math.max(...a.map((x, i) => Math.abs(x - b[i]!)));
};
/** A metric of every train step so far. */
const history = (run: TrainingRun, name: string) =>
  run.tables.history("metrics", 10_000).objects().map((row) => (row as Record<string, number>)[name]!);

/** What `read` finds with the images as they are, and with those of other prompts. */
async function both<Found>(
  read: (run: TrainingRun, exchanged: boolean) => Promise<Found>,
  model: Record<string, unknown> = {},
): Promise<readonly [Found, Found]> {
  const found: Found[] = [];
  for (const exchanged of [false, true]) {
    await withVisual(async (run) => void found.push(await read(run, exchanged)), { ...WARM, ...model });
  }
  return [found[0]!, found[1]!];
}

/** Preferences about scenes: the right answer before that to another scene, or each by itself with a label. */
function prefer(run: TrainingRun, labelled: boolean): void {
  const prompts = (run.tables.table("prompts").objects() as Record<string, string>[]).filter(({ split }) =>
    split === "train"
  );
  const pairs = prompts.slice(0, 4).map(({ prompt, answer }, i) => ({
    prompt,
    split: "train",
    chosen: answer,
    rejected: prompts[i + 5]!["answer"]!,
  }));
  const rows = labelled
    ? pairs.map(({ prompt, split, chosen, rejected }, i) => ({
      ...{ prompt, split, label: i % 2 === 0, completion: i % 2 === 0 ? chosen : rejected },
    }))
    : pairs;
  run.tables.write({
    preferences: tableOfRows("preferences", rows.map((row, preference_id) => ({ preference_id, ...row }))),
  }, "test");
}

for (
  const [loss, columns] of [["dpo", ["chosen_ref_logprobs", "rejected_ref_logprobs"]], ["kto", [
    "ref_logprobs",
  ]]] as const
) {
  Deno.test(`train_preferences by ${loss} reads images, as the policy and as the reference`, async () => {
    const [own, other] = await both(async (run, exchanged) => {
      prefer(run, loss === "kto");
      if (exchanged) exchangeImages(run, "preferences");
      await run.run("train_preferences", { loss, max_updates: 2, batch_size: 4, learning_rate: 1e-3 });
      const table = run.tables.table("preferences");
      return {
        reference: columns.flatMap((name) => lists(table, name).flat()),
        policy: ["chosen_logprob", "rejected_logprob"].map((name) => history(run, name)[0]!),
        rewards: ["chosen_reward", "rejected_reward"].map((name) => history(run, name)),
      };
    }, { reference: "copy" });
    assert(gap(own.reference, other.reference) > 1e-2);
    assert(gap(own.policy, other.policy) > 1e-2);
    for (const [first, second] of own.rewards) {
      // The reference sees what the policy sees: nothing lies between them before the first update, and then something.
      assert(Math.abs(first!) < 1e-5, `${first}`);
      assert(Math.abs(second!) > 1e-5, `${second}`);
    }
  });
}

Deno.test("pair_completions pairs what was sampled with its prompt's images", () =>
  withVisual(async (run) => {
    await visualRollout(run);
    const columns = run.tables.table("completions").objects() as Record<string, unknown>[];
    run.tables.write({
      completions: tableOfRows(
        "completions",
        columns.map((row, i) => ({ ...row, text: `${i}`, reward: i % 4, truncated: false })),
      ),
    }, "test");
    await run.run("pair_completions", { pairs_per_group: 1 });
    const asked = new Set(columns.map(({ prompt }) => prompt));
    const paired = (run.tables.table("preferences").objects() as Record<string, unknown>[]).map(({ prompt }) => prompt);
    assert.deepEqual(new Set(paired), asked);
    await run.run("train_preferences", { loss: "dpo", max_updates: 1, batch_size: 2, learning_rate: 1e-3 });
  }, { ...WARM, reference: "copy" }));

Deno.test("fine_tune reads images", async () => {
  const [own, other] = await both(async (run, exchanged) => {
    if (exchanged) exchangeImages(run, "prompts");
    await run.run("fine_tune", { max_updates: 1, batch_size: 8, learning_rate: 1e-3 });
    return history(run, "loss");
  });
  assert(own[0]! < other[0]! - 0.05, `${own} with their own images, ${other} with others`);
});

for (
  const [what, load] of [["a body of its own", {}], ["the policy's body", { body: "policy" }], ["an adapter", {
    lora: { rank: 2 },
  }]] as const
) {
  Deno.test(`a critic on ${what} reads images, and learns from them`, async () => {
    const [own, other] = await both(async (run, exchanged) => {
      await run.run("load_critic", load);
      await visualRollout(run);
      if (exchanged) exchangeImages(run);
      await run.run("compute_values");
      await run.run("compute_advantages", { estimator: "gae" });
      const values = flat(run, "values");
      await run.run("apply_update", TRAINER);
      await run.run("update_critic", { learning_rate: 1e-3 });
      return { values, loss: history(run, "value_loss"), norm: history(run, "critic_grad_norm") };
    }, { lora: { rank: 2 } });
    assert(gap(own.values, other.values) > 1e-4, `${gap(own.values, other.values)}`);
    assert(own.norm[0]! > 0 && own.loss[0] !== other.loss[0]);
  });
}

Deno.test("a reward model reads images while it trains and scores, and from its folder again", async () => {
  const [own, other] = await both(async (run, exchanged) => {
    prefer(run, false);
    await run.run("train_reward_model", { max_updates: 3, batch_size: 4, learning_rate: 1e-3 });
    await visualRollout(run);
    if (exchanged) exchangeImages(run, "prompts");
    const rewards: number[][] = [];
    const score = async () => {
      await run.run("score_rewards", { rewards: [{ uses: "reward_model" }] });
      rewards.push(run.column<number>("completions", "reward"));
    };
    await score();
    await run.run("export_model", { what: "reward_model" });
    await run.run("load_reward_model", { model: `${run.folders.run}/reward_model` });
    await score();
    return { rewards, loss: history(run, "loss")[0] };
  });
  assert(gap(own.rewards[0]!, other.rewards[0]!) > 1e-4, `${gap(own.rewards[0]!, other.rewards[0]!)}`);
  assert(gap(own.rewards[0]!, own.rewards[1]!) < 1e-4, `${gap(own.rewards[0]!, own.rewards[1]!)}`);
});

Deno.test("the reference adapter_off reads images: it says what the policy says until the adapter has moved", () =>
  withVisual(async (run) => {
    const off: number[] = [];
    for (let step = 0; step < 2; step++) {
      await visualRollout(run);
      off.push(gap(flat(run, "ref_logprobs"), flat(run, "sampler_logprobs")));
      await run.run("apply_update", { ...TRAINER, learning_rate: 1e-2, kl_coef: 0.1 });
    }
    assert(off[0]! < 1e-4 && off[1]! > 1e-3, `${off}`);
    const kl = history(run, "kl");
    assert(Math.abs(kl[0]!) < 1e-9 && kl[1]! > 1e-9, `${kl}`);
  }, { ...WARM, reference: "adapter_off", lora: { rank: 2 } }));

/** The weights after train steps with such settings of the model and of the update. */
async function trained(model: Record<string, unknown>, update: Record<string, unknown> = {}, steps = 1) {
  let weights: Float32Array = new Float32Array(), norm = NaN;
  await withVisual(async (run) => {
    for (let step = 0; step < steps; step++) {
      await visualRollout(run);
      await run.run("apply_update", { ...TRAINER, ...update });
    }
    weights = run.weights();
    norm = history(run, "grad_norm")[0]!;
  }, { ...WARM, ...model });
  return { weights, norm };
}

for (
  const [what, model] of [["everything", {}], ["a low-rank adapter on all of it", {
    lora: { rank: 2, target_modules: "all-linear" },
  }]] as const
) {
  Deno.test(`recompute and a memory budget change nothing of an update with images but rounding, where ${what} trains`, async () => {
    const plain = await trained(model);
    for (
      const [how, other] of [
        ["recompute", await trained(model, { recompute: true })],
        ["one prompt at a time", await trained(model, { prompts_per_pass: 1 })],
        ["memory", await trained({ ...model, memory: "400MB" })],
      ] as const
    ) {
      assert(Math.abs(other.norm / plain.norm - 1) < 1e-4, `${how}: gradient of ${other.norm}, want ${plain.norm}`);
    }
  });
}

Deno.test("moments of int8 move what reads images", async () => {
  const [plain, small] = [await trained({}, {}, 2), await trained({}, { optimizer_state: "int8" }, 2)];
  assert(Math.abs(small.norm / plain.norm - 1) < 1e-6);
  assert(plain.weights.some((x, i) => x !== small.weights[i]));
});

for (const weights of ["int8", "int4"]) {
  Deno.test(`samples by a copy of ${weights} read images`, async () => {
    const [own, other] = await both(async (run, exchanged) => {
      if (exchanged) exchangeImages(run, "prompts");
      run.tables.advance();
      await run.run("sample_groups", { prompts_per_step: 2, group_size: 2, max_new_tokens: 8 });
      return run.column<string>("completions", "text");
    }, { weights });
    assert.notDeepEqual(own, other);
  });
}

Deno.test("a reference, critic or reward model of words alone beside a policy that reads images is refused as it is loaded", async () => {
  const refused = (body: (run: TrainingRun, words: string) => Promise<unknown>, message: RegExp) =>
    withVisual(async (run) => {
      const words = modelFolder(run.folder, "qwen2");
      editJson(join(words, "config.json"), (json) => json["vocab_size"] = run.policy.model.config.vocabSize);
      await assert.rejects(body(run, words), { name: "RangeError", message });
    });
  await refused(
    (run, reference) => run.run("load_model", { model: join(run.folder, "qwen2_vl"), reference }),
    /^Cannot use the reference in .*qwen2: it reads words alone/,
  );
  await refused(
    (run, model) => run.run("load_critic", { model }),
    /^Cannot load the critic from .*qwen2: it reads words alone/,
  );
  await refused(
    (run, model) => (prefer(run, false), run.run("train_reward_model", { model, max_updates: 1, batch_size: 2 })),
    /^Cannot train a reward model from .*qwen2: it reads words alone/,
  );
});

Deno.test("an answer with a marker of images is named before it is learned from", () =>
  withVisual(async (run) => {
    const rows = run.tables.table("prompts").objects() as Record<string, unknown>[];
    const marked = rows.map((row) => ({ ...row, answer: `${row["answer"]}<|image_pad|>` }));
    run.tables.write({ prompts: tableOfRows("prompts", marked) }, "test");
    await assert.rejects(
      run.run("fine_tune", { max_updates: 1, batch_size: 8 }),
      /Cannot fine-tune: 1 completions hold markers of images, which the model never says; take them out/,
    );
  }));

Deno.test("a reward model of words alone is named when it is to score a completion about an image", () =>
  withVisual(async (run) => {
    await run.run("load_prompts", { task: "addition", digits: 1 });
    await run.run("load_preferences", { task: "addition", digits: 1 });
    const visual = run.policy;
    await run.run("load_model", { model: "tiny_qwen2" });
    await run.run("train_reward_model", { max_updates: 1, batch_size: 2 });
    await run.run("export_model", { what: "reward_model" });
    assert.notEqual(run.policy, visual);
    await run.run("load_prompts", SCENES);
    await run.run("load_model", { model: join(run.folder, "qwen2_vl") });
    await run.run("load_reward_model", { model: `${run.folders.run}/reward_model` });
    await visualRollout(run);
    await assert.rejects(
      run.run("score_rewards", { rewards: [{ uses: "reward_model" }] }),
      /^RangeError: Cannot score completions: the reward model reads words alone and prompts have images/,
    );
  }));

for (
  const [given, why] of [
    [
      { loss_on: "all" },
      /prompts have images, whose tokens nothing can learn to predict; want loss_on: completion, not all/,
    ],
    [{ loss_on: "assistant" }, /want loss_on: completion, not assistant/],
    [{ packing: 64 }, /prompts have images, which packed rows have no place for; leave out packing/],
  ] as const
) {
  Deno.test(`fine_tune refuses prompts with images where ${Object.keys(given)[0]} is ${Object.values(given)[0]}`, () =>
    withVisual(async (run) => {
      await assert.rejects(run.run("fine_tune", { max_updates: 1, batch_size: 2, ...given }), {
        name: "RangeError",
        message: why,
      });
    }));
}
