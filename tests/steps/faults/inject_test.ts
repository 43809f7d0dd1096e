import assert from "node:assert/strict";
import { faultProblems, Faults } from "../../../steps/faults/inject.ts";
import { atTrainStep } from "./fault_context.ts";

const messages = (entry: Record<string, unknown>) =>
  faultProblems([{ kind: "grpo" }, entry]).filter(({ index }) => index === 1).map(({ key, message }) => [
    key,
    message.split(";")[0],
  ]);

Deno.test("faultProblems() names an unknown kind and suggests a known one", () => {
  const [problem] = faultProblems([{ kind: "nan_wieght" }]);
  assert.deepEqual([problem!.index, problem!.key], [0, "kind"]);
  assert.match(problem!.message, /^unknown fault "nan_wieght"; did you mean "nan_weight"\?/);
});

Deno.test("faultProblems() names unknown keys, wrong values and an end before the beginning", () => {
  assert.deepEqual(messages({ kind: "near_greedy_sampling", temprature: 1 }), [
    ["temprature", 'unknown key "temprature" of fault "near_greedy_sampling"'],
  ]);
  assert.deepEqual(messages({ kind: "huge_rewards", from: -1 }).map(([key]) => key), ["from"]);
  assert.deepEqual(messages({ kind: "huge_rewards", from: 5, to: 3 }), [["to", '"to" is 3, want at least "from", 5']]);
  assert.deepEqual(messages({ kind: "random_weights", from: 5 }), [
    ["from", 'fault "random_weights" acts on "load_model", which runs once: leave "from" out'],
  ]);
  assert.deepEqual(messages({ kind: "huge_rewards", from: 3, to: 5 }), []);
});

Deno.test("new Faults() refuses what faultProblems() finds", () => {
  assert.throws(() => new Faults([{ kind: "nothing" }]), /^RangeError: Cannot inject fault 1: unknown fault "nothing"/);
});

Deno.test("Faults.run() acts on its step and within its train steps only", async () => {
  const faults = new Faults([{ kind: "learning_rate_zero", from: 3, to: 4 }]);
  const rate = async (uses: string, trainStep: number) => {
    let seen: unknown;
    await faults.run(uses, { learning_rate: 1 }, atTrainStep(trainStep), (params) => {
      seen = (params as { learning_rate: number }).learning_rate;
      return {};
    });
    return seen;
  };
  assert.deepEqual(await Promise.all([2, 3, 4, 5].map((step) => rate("apply_update", step))), [1, 0, 0, 1]);
  assert.equal(await rate("fine_tune", 3), 1);
  assert.deepEqual([faults.actsOn("apply_update"), faults.actsOn("fine_tune")], [true, false]);
});

Deno.test("Faults.run() applies several faults in the order of the workflow", async () => {
  const faults = new Faults([{ kind: "learning_rate_times_1000", factor: 2 }, {
    kind: "learning_rate_times_1000",
    factor: 5,
  }]);
  let seen: unknown;
  await faults.run("apply_update", { learning_rate: 3 }, atTrainStep(1), (params) => {
    seen = params;
    return {};
  });
  assert.deepEqual(seen, { learning_rate: 30 });
});

Deno.test("Faults.lines say what is injected, and when", () => {
  const lines = (entry: Record<string, unknown>) => new Faults([entry]).lines[0]!.split(" (")[0];
  assert.equal(lines({ kind: "huge_rewards" }), "fault injected: huge_rewards");
  assert.equal(lines({ kind: "huge_rewards", from: 6 }), "fault injected: huge_rewards from train step 6");
  assert.equal(lines({ kind: "huge_rewards", from: 6, to: 9 }), "fault injected: huge_rewards in train steps 6 to 9");
});
