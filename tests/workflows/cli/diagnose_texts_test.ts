/** Texts that are no log of a training run, or that say two things: what was read, what not, and never a cause that is not there. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { inProcess, jsonLines } from "./in_process.ts";

const record = (step: number, reward: number) =>
  `{'loss': 0.0${step % 7}, 'grad_norm': 0.${3 + step % 5}, 'reward': ${reward.toFixed(3)}, 'kl': 0.00${
    step % 9
  }, 'step': ${step}}`;
const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");

/** What `diagnose --json` says of a text in a file of a name. */
async function diagnosed(name: string, text: string | Uint8Array) {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, name);
    await Deno.writeFile(path, typeof text === "string" ? new TextEncoder().encode(text) : text);
    const { code, out, err } = await inProcess(["diagnose", path, "--json"]);
    assert.equal(code, 0, err);
    assert.doesNotMatch(out + err, /\n\s+at |undefined/);
    return jsonLines(out) as { verdict: string; findings: { cause: string; severity: string }[] }[];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

for (
  const [what, name, text] of [
    [
      "a web server's log",
      "access.txt",
      lines(
        60,
        (i) =>
          `10.0.0.1 - - [10/Oct/2024:13:55:${10 + i % 50} +0000] "GET /rewards/list?step=${i} HTTP/1.1" 200 ${
            2000 + i
          } "-" "Mozilla/5.0"`,
      ),
    ],
    [
      "a compiler's output",
      "make.txt",
      lines(
        20,
        (i) => `src/loss.c:${i}:12: error: use of undeclared identifier 'reward'\n    reward = loss * 2;\n    ^~~~~~`,
      ),
    ],
    [
      "a recipe",
      "pie.md",
      "# Apple pie\n\n- 500 g flour\n- 250 g butter\n\nStep 1: mix for 5 minutes.\n\nStep 2: it rises for 30 minutes. Do not let it collapse.\n",
    ],
    [
      "a novel",
      "novel.md",
      "# Chapter 1\n\nMy father lost his reward, and the loss was constant in him.\n\n" +
      "The model of the ship never moved. Why do you repeat yourself? The answer was empty. He was killed.\n",
    ],
    [
      "a stack trace of a web app",
      "trace.txt",
      'Traceback (most recent call last):\n  File "/app/views.py", line 31, in get\n    user = get(pk)\napp.models.DoesNotExist: no such user\n',
    ],
    ["nothing", "empty.md", ""],
    ["white space", "white.md", " \n\t\n\n"],
    ["a binary", "post.md", Uint8Array.from({ length: 4096 }, (_, i) => (i * 37) % 256)],
  ] as const
) {
  Deno.test(`diagnose cannot tell of ${what}, and names no cause`, async () => {
    const found = await diagnosed(name, text);
    for (const { verdict, findings } of found) {
      assert.equal(verdict, "insufficient");
      assert.deepEqual(findings.filter(({ severity }) => severity !== "info").map(({ cause }) => cause), []);
    }
    assert(found.length > 0);
  });
}

Deno.test("diagnose tells two runs in one post apart", async () => {
  const dead = (i: number) =>
    `{'loss': 0.0, 'grad_norm': 0.0, 'reward': 0.0, 'reward_std': 0.0, 'kl': 0.0, 'step': ${i + 1}}`;
  const found = await diagnosed(
    "post.md",
    `Hi, I compare two GRPO runs, why is one dead?\n\nA:\n\n\`\`\`\n${
      lines(15, (i) => record(i + 1, 0.1 + i / 30))
    }\n\`\`\`\n\n` +
      `B:\n\n\`\`\`\n${lines(15, dead)}\n\`\`\`\n`,
  );
  assert.deepEqual(found.map(({ verdict }) => verdict === "faulty"), [false, true]);
});

Deno.test("diagnose believes the number where a claim contradicts it, and says so", async () => {
  const [found] = await diagnosed(
    "post.md",
    `Hi, I run GRPO, why? The reward is always 0.\n\n\`\`\`\n${lines(6, (i) => record(i + 1, 0.3 + i / 50))}\n\`\`\`\n`,
  );
  assert.notEqual(found!.verdict, "faulty");
  assert.match(JSON.stringify(found), /reward is told to be 0, and is printed otherwise/);
});

Deno.test("diagnose takes neither of two claims that contradict each other, and says so", async () => {
  const [found] = await diagnosed(
    "post.md",
    "Hi, I run GRPO, why? The reward is always 0.\n\nThe reward goes from 0.1 to 0.9.\n",
  );
  assert.equal(found!.verdict, "insufficient");
  assert.match(JSON.stringify(found), /neither counts/);
});

Deno.test("diagnose reads the figures of a post in a language that it does not know, and lists the prose", async () => {
  const [found] = await diagnosed(
    "post.md",
    `Hei, koulutan kielimallia ja se ei opi mitään.\n\n\`\`\`\n${
      lines(15, (i) => record(i + 1, 0.1 + i / 30))
    }\n\`\`\`\n`,
  );
  assert.match(JSON.stringify(found), /sentence not understood/);
});
