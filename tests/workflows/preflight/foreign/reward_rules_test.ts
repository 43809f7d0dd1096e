import assert from "node:assert/strict";
import { REWARD_RULES } from "../../../../workflows/preflight/foreign/reward_rules.ts";
import { launchesOf } from "../../../../workflows/preflight/foreign/read_launch.ts";
import { testRules } from "./cases.ts";

testRules(REWARD_RULES);

const unknown = (text: string, name = "run.sh") => {
  const found = REWARD_RULES.unknown_reward.check(launchesOf(name, text)[0]!);
  return found === null ? null : found.change[0]!.value;
};

Deno.test("unknown_reward names the reward that is meant, and leaves those of plugins, scripts and files alone", () => {
  const swift = "swift rlhf --rlhf_type grpo --model a --reward_funcs accurac format\n";
  assert.deepEqual(unknown(swift), ["accuracy", "format"]);
  assert.equal(unknown(swift.replace("accurac ", "accuracy ")), null);
  assert.equal(unknown(swift.replace("--model", "--external_plugins p.py --model")), null);
  assert.deepEqual(unknown("trl grpo --dataset_name a --reward_funcs acuracy_reward\n"), ["accuracy_reward"]);
  assert.equal(unknown("trl grpo --dataset_name a --reward_funcs my_rewards.accuracy_of_dates\n"), null);
  assert.deepEqual(
    unknown("reward_funcs:\n- acuracy\n- format\nnum_generations: 8\nlearning_rate: 1.0e-6\n", "grpo.yaml"),
    ["accuracy", "format"],
  );
  const script = "from trl import GRPOTrainer\nGRPOTrainer(model='a', reward_funcs=[acuracy, 'fromat'])\n";
  assert.equal(unknown(script, "a.py"), null);
});

Deno.test("reward_without_difference is a warning beside other rewards, and looks at those that are given alone", () => {
  const of = (funcs: string, body = "[0.5] * len(completions)") => {
    const text = "from trl import GRPOTrainer\ndef fixed(completions, **kwargs):\n" +
      `    return ${body}\ndef own(completions, **kwargs):\n    return [len(c) for c in completions]\n` +
      `GRPOTrainer(model='a', reward_funcs=${funcs})\n`;
    const found = REWARD_RULES.reward_without_difference.check(launchesOf("a.py", text)[0]!);
    return found.map(({ at, severity }) => [at, severity ?? "fatal"]);
  };
  assert.deepEqual(of("fixed"), [[2, "fatal"]]);
  assert.deepEqual(of("[fixed, own]"), [[2, "warning"]]);
  assert.deepEqual(of("own"), []);
  assert.deepEqual(of("fixed", "[0.5 * len(c) for c in completions]"), []);
});
