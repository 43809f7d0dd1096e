import assert from "node:assert/strict";
import { fromFileUrl } from "@deno/std/path/from_file_url.js";
import type { ColumnTable } from "arquero";
import { tableOf } from "../../data/tables/mod.ts";
import { closeSandboxes } from "../../steps/rewards/sandbox/pool.ts";
import { scoreRewards } from "../../steps/score_rewards.ts";
import { stepContext } from "./contexts/reward_steps.ts";

const HERE = fromFileUrl(new URL(".", import.meta.url));
const PROMPTS = tableOf("prompts", {
  prompt_id: [0, 1],
  prompt: ["1+1=", "2+3="],
  answer: ["2", "5"],
  split: ["train", "train"],
  verifier: ["addition", "addition"],
});
const COMPLETIONS = tableOf("completions", {
  train_step: [1, 1, 1, 1],
  prompt_id: [1, 1, 0, 0],
  sample: [0, 1, 0, 1],
  prompt: ["2+3=", "2+3=", "1+1=", "1+1="],
  answer: ["5", "5", "2", "2"],
  text: ["5", "6", "2", "bad"],
  truncated: [false, false, false, true],
  completion_tokens: [2, 2, 2, 4],
});

async function run(given: Record<string, unknown>, completions: ColumnTable = COMPLETIONS) {
  const context = stepContext({ prompts: PROMPTS, completions }, { workflow: HERE });
  try {
    const { tables, outputs } = await scoreRewards.run(scoreRewards.params.parse(given), context);
    const written = tables!.completions!;
    const column = (name: string) => Array.from(written.array(name) as ArrayLike<unknown>);
    return { written, column, outputs: outputs!, events: context.events };
  } finally {
    await closeSandboxes();
  }
}

Deno.test("score_rewards writes each reward, their weighted sum and whether the verifier agrees", async () => {
  const { column, outputs } = await run({
    rewards: [{ uses: "verifier" }, {
      uses: "length_penalty",
      weight: 0.5,
      name: "short",
      with: { per_token: 1, free_tokens: 2, max_penalty: 5 },
    }],
  });
  assert.deepEqual(column("reward.verifier"), [1, 0, 1, 0]);
  assert.deepEqual(column("reward.short"), [0, 0, 0, -2]);
  assert.deepEqual(column("reward"), [1, 0, 1, -1]);
  assert.deepEqual(column("correct"), [true, false, true, false]);
  assert.deepEqual(column("text"), ["5", "6", "2", "bad"]);
  assert.deepEqual(outputs, {
    reward: 0.25,
    reward_std: Math.sqrt((0.75 ** 2 * 2 + 0.25 ** 2 + 1.25 ** 2) / 3),
    accuracy: 0.5,
    zero_spread_fraction: 0,
    dropped: 0,
  });
});

Deno.test("score_rewards judges correctness by the verifier, whatever the rewards", async () => {
  const { outputs, column } = await run({ rewards: [{ uses: "regex", with: { pattern: "." } }] });
  assert.equal(outputs.accuracy, 0.5);
  assert.equal(outputs.zero_spread_fraction, 1);
  assert.deepEqual(column("reward"), [1, 1, 1, 1]);
});

Deno.test("score_rewards runs a file named relative to the workflow file", async () => {
  const { column } = await run({ rewards: [{ uses: "./rewards/user_rewards/behaves.ts", name: "mine", weight: 2 }] });
  assert.deepEqual(column("reward.mine"), [1, 1, 1, 3]);
  assert.deepEqual(column("reward"), [2, 2, 2, 6]);
});

Deno.test("score_rewards drops a completion that a file's code fails on: no reward, an event, the others stay", async () => {
  const { column, outputs, events } = await run({
    on_error: "drop",
    rewards: [{ uses: "verifier" }, {
      uses: "./rewards/user_rewards/behaves.ts",
      name: "mine",
      with: { does: "nan", at: "bad" },
    }],
  });
  assert.deepEqual(column("reward"), [2, 1, 2, null]);
  assert.deepEqual(column("reward.mine"), [1, 1, 1, null]);
  assert.deepEqual(column("correct"), [true, false, true, false]);
  assert.equal(outputs.dropped, 1);
  assert.deepEqual(events, [{ event: "reward_failed", reward: "mine", sample: 3, prompt: "1+1=", reason: "NaN" }]);
});

Deno.test("score_rewards tells of 20 failed completions of a batch and counts the rest", async () => {
  const row = (value: unknown) => Array.from({ length: 50 }, () => value);
  const completions = tableOf("completions", {
    ...Object.fromEntries(COMPLETIONS.columnNames().map((name) => [name, row(COMPLETIONS.array(name)[3])])),
    sample: Array.from({ length: 50 }, (_, i) => i),
  });
  const mine = { uses: "./rewards/user_rewards/behaves.ts", name: "mine", with: { does: "nan", at: "bad" } };
  const { events, outputs } = await run({ on_error: "drop", rewards: [mine] }, completions);
  assert.equal(events.length, 21);
  assert.equal(events.at(-1)!["text"], 'Reward "mine" failed on 30 further completions of this batch');
  assert.equal(outputs.dropped, 50);
});

Deno.test("score_rewards stops with the reward, the sample and the value", async () => {
  const mine = { uses: "./rewards/user_rewards/behaves.ts", with: { does: "nan", at: "bad" } };
  await assert.rejects(
    run({ rewards: [mine] }),
    /^Error: Cannot score with reward "behaves": it gave NaN, want .* sample 3 of 4 \(prompt "1\+1=", completion "bad"\)/,
  );
  await assert.rejects(run({ rewards: [{ uses: "./none.ts" }] }), /Cannot score with reward "none": there is no file/);
});

Deno.test("score_rewards stops a file's code that takes too long", async () => {
  const mine = { uses: "./rewards/user_rewards/behaves.ts", with: { does: "loops", at: "bad" } };
  await assert.rejects(
    run({ rewards: [mine], timeout_seconds: 0.3 }),
    /gave no answer within 0.3 s, first at sample 3/,
  );
});

const ENDLESS = "a".repeat(50) + "b";

Deno.test("score_rewards ends a pattern that backtracks without end, and names the completion", async () => {
  const texts = ["5", "6", ENDLESS, "x"];
  const completions = tableOf("completions", {
    ...Object.fromEntries(COMPLETIONS.columnNames().map((name) => [name, COMPLETIONS.array(name)])),
    text: texts,
  });
  for (const [uses, pattern] of [["regex", "^(a+)+$"], ["format", "(a|aa)+"]]) {
    await assert.rejects(
      run({ rewards: [{ uses, with: { pattern } }], timeout_seconds: 0.3 }, completions),
      new RegExp(
        `Cannot score with reward "${uses}": it gave no answer within 0.3 s, first at sample 2 of 4 .*simplify`,
      ),
    );
  }
  const rewards = [{ uses: "regex", with: { pattern: "^(a+)+$" } }];
  const { column } = await run({ rewards, timeout_seconds: 0.3, on_error: "drop" }, completions);
  assert.deepEqual(column("reward"), [0, 0, null, 0]);
});

Deno.test("score_rewards stops at once when the run is asked to stop, whatever a reward is doing", async () => {
  const looping = { uses: "./rewards/user_rewards/behaves.ts", with: { does: "loops", at: "bad" } };
  for (const entry of [looping, { uses: "regex", with: { pattern: "^(a+)+$" } }]) {
    const stop = new AbortController(), reason = new Error("asked to stop");
    const completions = tableOf("completions", {
      ...Object.fromEntries(COMPLETIONS.columnNames().map((name) => [name, COMPLETIONS.array(name)])),
      text: ["5", "6", ENDLESS, "bad"],
    });
    const context = { ...stepContext({ prompts: PROMPTS, completions }, { workflow: HERE }), signal: stop.signal };
    setTimeout(() => stop.abort(reason), 400);
    const given = scoreRewards.params.parse({ rewards: [entry], timeout_seconds: 3600 });
    await assert.rejects(Promise.resolve(scoreRewards.run(given, context)), (error) => error === reason);
    await closeSandboxes();
  }
});

Deno.test("score_rewards refuses completions of a prompt that is not there, and none at all", async () => {
  const foreign = tableOf("completions", {
    ...Object.fromEntries(COMPLETIONS.columnNames().map((name) => [name, COMPLETIONS.array(name)])),
    prompt_id: [1, 1, 7, 7],
  });
  const rewards = [{ uses: "verifier" }];
  await assert.rejects(run({ rewards }, foreign), /prompt 7 of table "completions" is not in "prompts"/);
  await assert.rejects(run({ rewards }, COMPLETIONS.slice(0, 0)), /table "completions" has no rows/);
});

Deno.test("score_rewards.check() refuses two rewards of one name", () => {
  const twice = scoreRewards.params.parse({
    rewards: [{ uses: "format" }, { uses: "regex", name: "format", with: { pattern: "x" } }],
  });
  assert.deepEqual(scoreRewards.check!(twice), [
    'Cannot score two rewards into column "reward.format": give one of them another name',
  ]);
});

Deno.test("score_rewards.params names an unknown reward with its place", () => {
  const { error } = scoreRewards.params.safeParse({ rewards: [{ uses: "verifier" }, { uses: "verifyer" }] });
  assert.deepEqual(error!.issues[0]!.path, ["rewards", 1, "uses"]);
  assert.match(error!.issues[0]!.message, /did you mean "verifier"/);
});

interface Golden {
  readonly params: { readonly task: string };
  readonly inputs: { readonly completion: string; readonly solution: string };
  readonly outputs: Readonly<Record<string, number>>;
}

/** Our rewards by the names of the golden's. */
const VISUAL: Record<string, Record<string, string>> = {
  detection: { accuracy_iou: "visual/iou", accuracy_confidence: "visual/confidence", format: "visual/format" },
  classification: { accuracy: "visual/classification", format: "visual/format" },
  grounding: { accuracy: "visual/giou", format: "visual/format" },
};

Deno.test("score_rewards with compat gives every golden completion Visual-RFT's rewards", async () => {
  const file = new URL("../goldens/formulas/visual_rft_rewards.json", import.meta.url);
  const { cases } = JSON.parse(Deno.readTextFileSync(file)) as { cases: Golden[] };
  let compared = 0;
  for (const [task, names] of Object.entries(VISUAL)) {
    // A NaN is no reward that a run could go on with: the function's own test has it.
    const own = cases.filter(({ params, outputs }) =>
      params.task === task && Object.values(outputs).every((value) => typeof value === "number")
    );
    const ids = own.map((_, i) => i), prompt = own.map((_, i) => `p${i}`), answer = own.map((c) => c.inputs.solution);
    const prompts = tableOf("prompts", { prompt_id: ids, prompt, answer, split: own.map(() => "train") });
    const completions = tableOf("completions", {
      prompt_id: ids,
      sample: own.map(() => 0),
      text: own.map((c) => c.inputs.completion),
      truncated: own.map(() => false),
      completion_tokens: own.map(() => 1),
    });
    const rewards = Object.values(names).map((uses) => ({ uses, with: { compat: true } }));
    const context = stepContext({ prompts, completions }, { workflow: HERE });
    const { tables } = await scoreRewards.run(scoreRewards.params.parse({ rewards }), context);
    for (const [output, name] of Object.entries(names)) {
      own.forEach(({ outputs }, row) => {
        const value = tables!.completions!.get(`reward.${name}`, row) as number;
        assert(Math.abs(value - outputs[output]!) < 1e-6, `${task} ${row} ${name}: ${value}, want ${outputs[output]}`);
        compared++;
      });
    }
  }
  assert.equal(compared, 334 * 3 + 228 * 2 + 200 * 2 - 3 * 3, "three cases are NaN");
});
