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

Deno.test("reward_without_difference is silent where the script may use another function, or gives other values", () => {
  const same = "def reward(completions, **kwargs):\n    return [1.0] * len(completions)\n";
  const found = (before: string, after = "", reward = "reward") => {
    const text = `from trl import GRPOTrainer\n${before}${after}` +
      `trainer = GRPOTrainer(model='a', reward_funcs=${reward})\ntrainer.train()\n`;
    return REWARD_RULES.reward_without_difference.check(launchesOf("a.py", text)[0]!).length;
  };
  const indented = (text: string) => text.trimEnd().replaceAll(/^/gm, "    ") + "\n";
  const other = same.replace("[1.0] * len(completions)", "[float(len(c)) for c in completions]");
  assert.equal(found(same), 1);
  for (
    const after of [
      "print(reward(['a']))\n",
      "reward.__name__ = 'r'\n",
      "make(reward=reward)\n",
      "log.reward = 1\n",
      "'reward = accuracy'\n",
    ]
  ) assert.equal(found(same, after), 1, after);
  for (
    const after of [
      other,
      "reward = accuracy\n",
      "reward: object = accuracy\n",
      "a, reward = 1, accuracy\n",
      "(a, reward) = 1, accuracy\n",
      "from lib import reward\n",
      "from lib import (\n    a,\n    reward,\n)\n",
      "from lib import accuracy as reward\n",
      "from lib import *\n",
      "import reward\n",
      "def train(reward):\n    pass\n",
      "for reward in rewards:\n    pass\n",
      "class Own(GRPOTrainer):\n    pass\n",
      "def test_plumbing():\n    GRPOTrainer(model='tiny', reward_funcs=[reward]).train()\n",
    ]
  ) assert.equal(found(same, after), 0, after);
  for (
    const before of [
      `import os\nif os.environ.get("DEBUG"):\n${indented(same)}else:\n${indented(other)}`,
      `"""Example: def reward(completions, **kwargs): return [1.0] * len(completions)"""\nfrom my_rewards import reward\n`,
      `"""Example:\n\n${same}"""\nfrom my_rewards import reward\n`,
      `OLD = '''\n${same}'''\nfrom my_rewards import reward\n`,
      `OLD = '''\n${same}'''\n`,
      `class Rewards:\n${indented(same)}reward = Rewards().reward\n`,
      `class Rewards:\n${indented(same)}`,
      `@with_format_scores\n${same}`,
    ]
  ) assert.equal(found(before), 0, before);
  assert.equal(found(same, "", "[reward, 'org/reward-model']"), 1);
});

Deno.test("reward_without_difference reads the definitions of every cell", () => {
  const cell = (source: string) => ({ cell_type: "code", source: source.split(/(?<=\n)/) });
  const of = (...cells: string[]) => {
    const json = JSON.stringify({ cells: cells.map(cell) }, null, 1);
    return launchesOf("a.ipynb", json).map((one) => REWARD_RULES.reward_without_difference.check(one).length);
  };
  const same = "def reward(completions, **kwargs):\n    return [1.0] * len(completions)\n";
  const trainer = "trainer = GRPOTrainer(model='a', reward_funcs=reward)\n";
  assert.deepEqual(of(same, trainer), [1]);
  assert.deepEqual(of(same, same.replace("[1.0] * len", "score"), trainer), [0]);
});
