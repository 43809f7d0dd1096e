import assert from "node:assert/strict";
import { readPost } from "../read_post.ts";

const kinds = async (code: string) =>
  (await readPost(`Why is my reward flat?\n\n\`\`\`python\n${code}\n\`\`\`\n`)).messages.filter(({ kind }) =>
    kind === "constant_reward_function"
  ).map(({ text, line, value }) => `${line} ${value} ${text}`);

Deno.test("readRewardCode() notes a function that gives one value whatever the text is, at its line", async () => {
  assert.deepEqual(await kinds("import re\n\ndef format_reward(completions):\n    return [1.0] * len(completions)"), [
    "6 1 format_reward gives 1.0 for every completion",
  ]);
  assert.deepEqual(
    await kinds("def my_score(xs):\n    out = []\n    for x in xs:\n        out.append(0.0)\n    return out"),
    ["4 0 my_score gives 0.0 for every completion"],
  );
  for (
    const body of [
      " return [0.0] * len(xs)",
      "\n    return [0.0 for _ in range(len(xs))]",
      "\n    return [0.0 for x, y in zip(xs, ys)]",
      "\n    out = [0.0] * len(xs)\n    return out",
    ]
  ) assert.equal((await kinds(`def my_score(xs):${body}`)).length, 1, body);
});

Deno.test("readRewardCode() is silent where a value depends on the text, and of other functions", async () => {
  assert.deepEqual(await kinds("def reward(xs):\n    return [1.0 if 'a' in x else 0.0 for x in xs]"), []);
  assert.deepEqual(await kinds("def reward(x):\n    if x:\n        return 1.0\n    return 0.0"), []);
  assert.deepEqual(await kinds("def load(x):\n    return 1.0"), []);
  assert.deepEqual(await kinds("def reward(x):\n    pass"), []);
  const loop = "def reward(xs):\n    out = []\n    for x in xs:\n        if x: out.append(1.0)\n        else: ";
  assert.equal((await kinds(`${loop}out.append(1.0)\n    return out`)).length, 1);
  for (const other of ["out.append(None)", "out.append(score)", "out.append(2.0); continue", "out += [2.0]"]) {
    assert.deepEqual(await kinds(`${loop}${other}\n    return out`), [], other);
  }
  assert.deepEqual(await kinds("def reward(xs):\n    if not xs:\n        return [0.0]\n    return scores(xs)"), []);
  assert.deepEqual(
    await kinds("def reward(xs):\n    if not xs:\n        return 0\n    def reward_of(x):\n        return len(x)"),
    [],
  );
});
