/** Ends that no sound run has keep a run from healthy, in logs and in posts, whatever else rises. */
import assert from "node:assert/strict";
import { answerPost } from "../../../bench/posts/answer_post.ts";

const table = (columns: Readonly<Record<string, readonly (number | string)[]>>) => {
  const names = Object.keys(columns), rows = columns[names[0]!]!.map((_, i) => names.map((name) => columns[name]![i]));
  return `${["step", ...names].join(",")}\n${rows.map((row, i) => [100 * i, ...row].join(",")).join("\n")}\n`;
};
/** Twelve values from one to another, where they stay, and a reward that rises beside them. */
const course = (from: number, to: number) =>
  Array.from({ length: 12 }, (_, i) => from * (to / from) ** Math.min(1, i / 8));
const rising = Array.from({ length: 12 }, (_, i) => 0.3 + 0.02 * i);
const verdict = async (columns: Readonly<Record<string, readonly (number | string)[]>>) =>
  (await answerPost("run.csv", table(columns))).verdict;

const WILD: Readonly<Record<string, readonly [from: number, to: number]>> = {
  entropy: [0.81, 0.0001],
  completion_length: [412, 2],
  kl: [0.001, 60],
  loss: [0.01, 99000],
  grad_norm: [0.5, 9e4],
  value_loss: [1.2, 2e5],
  "completions/clipped_ratio": [0.02, 1],
  clip_fraction: [0.01, 0.97],
  frac_reward_zero_std: [0.2, 1],
};
for (const [name, [from, to]] of Object.entries(WILD)) {
  Deno.test(`${name} that goes from ${from} to ${to} is not healthy beside a reward that rises`, async () => {
    assert.notEqual(await verdict({ reward: rising, [name]: course(from, to) }), "benign");
  });
}

Deno.test("a run whose numbers stay in their bounds is healthy", async () => {
  const sound = { entropy: [0.81, 0.2], completion_length: [412, 180], kl: [0.001, 0.4], grad_norm: [0.5, 3] };
  for (const [name, [from, to]] of Object.entries(sound)) {
    assert.equal(await verdict({ reward: rising, [name]: course(from!, to!) }), "benign", name);
  }
});

Deno.test("held-out numbers that are lost keep a run from healthy", async () => {
  const loss = course(1.6, 1.1);
  const dicts = (more: (i: number) => string) =>
    loss.map((value, i) => `{'loss': ${value.toFixed(3)}, 'grad_norm': 0.8, 'epoch': ${(i + 1) / 12}}\n${more(i)}\n`)
      .join("");
  const of = async (more: (i: number) => string) => (await answerPost("run.log", dicts(more))).verdict;
  assert.notEqual(await of(() => "{'eval_loss': nan}"), "benign");
  assert.notEqual(await of((i) => `{'eval_accuracy': ${(0.61 - 0.045 * i).toFixed(3)}}`), "benign");
  assert.equal(await of((i) => `{'eval_accuracy': ${(0.41 + 0.02 * i).toFixed(3)}}`), "benign");
});

Deno.test("a task that is all but solved may have an entropy of nothing", async () => {
  const solved = Array.from({ length: 12 }, (_, i) => Math.min(0.98, 0.4 + 0.08 * i));
  assert.equal(await verdict({ reward: solved, entropy: course(0.81, 0.0001) }), "benign");
});

Deno.test("a held-out accuracy of which a tenth is left is not healthy on five records either", async () => {
  const rows = [0.61, 0.43, 0.3, 0.21, 0.08].map((accuracy, i) =>
    `{'loss': ${(1.6 - 0.1 * i).toFixed(2)}, 'grad_norm': 0.8, 'epoch': ${
      (i + 1) / 5
    }}\n{'eval_accuracy': ${accuracy}, 'epoch': ${(i + 1) / 5}}\n`
  );
  assert.equal((await answerPost("run.log", rows.join(""))).verdict, "insufficient");
});
