import assert from "node:assert/strict";
import { GivenRun } from "../../../../workflows/doctor_page/reading/diagnose_given.ts";
import { OwnForms } from "../../../../workflows/doctor_page/reading/own_forms.ts";

const of = (...lines: readonly (readonly [name: string, line: string])[]) =>
  OwnForms.of(
    lines.map(([name], i) => ({ name, source: "-", line: i + 1 })),
    (_, line) => Promise.resolve(lines[line - 1]![1]),
  );

Deno.test("OwnForms writes an option as its own line does, another as those beside it", async () => {
  const flags = await of(["temperature", "--temperature 0.01 \\"], ["beta", "--beta 0.04"]);
  assert.equal(flags.written("temperature=1"), "--temperature 1.0");
  assert.equal(flags.written("top_p=1"), "--top_p 1");
  const keywords = await of(["learning_rate", "    learning_rate=1e-3, beta=0.0,"]);
  assert.equal(keywords.written("eval_strategy=steps"), 'eval_strategy="steps"');
  const mixed = await of(["temperature", "--temperature 0.01"], ["lr", "lr: 1.0e-3"]);
  assert.equal(mixed.written("top_p=1"), "top_p=1");
  assert.equal((await of()).written("deno task sample RUN"), "deno task sample RUN");
});

const COMMAND = `My GRPO run: all 8 completions of every prompt are the same, word for word.

\`\`\`
trl grpo --model_name_or_path Qwen/Qwen2-7B --num_generations 8 \\
  --temperature 0.01 --top_p 0.001 --learning_rate 1e-6
\`\`\`
reward_std is 0 on every step and nothing is learned.
`;

Deno.test("GivenRun gives what is to be changed as the pasted command has it", async () => {
  const { runs: [shown] } = await new GivenRun().diagnose({ kind: "text", text: COMMAND });
  assert.equal(shown!.run.findings[0]?.cause, "greedy_sampling");
  assert.deepEqual(shown!.run.changes, [{ system: null, lines: ["--temperature 1.0", "--top_p 1.0", "--top_k 0"] }]);
});
