import assert from "node:assert/strict";
import { Faults } from "../../../steps/faults/inject.ts";
import { sampleGroups } from "../../../steps/sample_groups.ts";
import { withTinyPolicy } from "../contexts/training_run.ts";
import { faulty, seenParams } from "./fault_context.ts";

const ROWS = {
  train_step: [1, 1, 1, 1, 1, 1],
  prompt_id: [0, 0, 1, 1, 2, 2],
  sample: [0, 1, 0, 1, 0, 1],
  prompt: ["1+1=", "1+1=", "2+2=", "2+2=", "3+3=", "3+3="],
  answer: ["2", "2", "4", "4", "6", "6"],
  text: ["2", "3", "4", "55", "6", "7"],
  truncated: [false, false, false, true, false, false],
  completion_tokens: [2, 2, 2, 3, 2, 2],
  token_ids: [[50, 9], [51, 9], [52, 9], [53, 53, 53], [54, 9], [55, 9]],
  completion_mask: [[1, 1], [1, 1], [1, 1], [1, 1, 1], [1, 1], [1, 1]],
};
const lists = (values: unknown[]) => values.map((list) => Array.from(list as number[]));

Deno.test("settings of sampling are changed as the fault says", async () => {
  assert.deepEqual(await seenParams("near_greedy_sampling", { temperature: 1, top_k: 0 }), {
    temperature: 0.01,
    top_p: 0.001,
    top_k: 0,
  });
  assert.deepEqual(await seenParams("near_greedy_sampling", {}, { temperature: 0.02, top_p: 0.5 }), {
    temperature: 0.02,
    top_p: 0.5,
  });
  assert.deepEqual(await seenParams("group_of_two", { group_size: 8 }), { group_size: 2 });
});

Deno.test("masked_tokens and shifted_mask change the mask alone", async () => {
  const none = await faulty("masked_tokens", "completions", ROWS);
  assert.deepEqual(lists(none("completion_mask")), [[0, 0], [0, 0], [0, 0], [0, 0, 0], [0, 0], [0, 0]]);
  const shifted = await faulty("shifted_mask", "completions", ROWS);
  assert.deepEqual(lists(shifted("completion_mask")), [[0, 1], [0, 1], [0, 1], [0, 1, 1], [0, 1], [0, 1]]);
  assert.deepEqual(shifted("text"), ROWS.text);
});

Deno.test("shuffled_completions moves texts with their tokens, not prompts", async () => {
  const column = await faulty("shuffled_completions", "completions", ROWS);
  assert.deepEqual(column("prompt"), ROWS.prompt);
  assert.notDeepEqual(column("text"), ROWS.text);
  for (const [row, text] of (column("text") as string[]).entries()) {
    const before = ROWS.text.indexOf(text);
    assert.deepEqual(lists(column("token_ids"))[row], ROWS.token_ids[before]);
    assert.equal(column("completion_tokens")[row], ROWS.completion_tokens[before]);
  }
});

Deno.test("mixed_groups leaves the prompt ids where they were", async () => {
  const column = await faulty("mixed_groups", "completions", ROWS);
  assert.deepEqual(column("prompt_id"), ROWS.prompt_id);
  assert.deepEqual((column("prompt") as string[]).sort(), [...ROWS.prompt].sort());
});

Deno.test("repeated_tokens tells log-probs of what it writes, at the rollout's temperature", () =>
  withTinyPolicy(async (run) => {
    run.tables.advance();
    const given = sampleGroups.params.parse({
      prompts_per_step: 2,
      group_size: 2,
      max_new_tokens: 3,
      temperature: 0.7,
    });
    const faults = new Faults([{ kind: "repeated_tokens" }]);
    const { tables } = await faults.run(
      "sample_groups",
      given,
      run.context("sample_groups"),
      (params, context) => sampleGroups.run(params as typeof given, context),
    );
    const column = <T>(name: string) => Array.from(tables!.completions!.array(name) as ArrayLike<T>);
    const tokens = column<Int32Array>("token_ids");
    assert(tokens.every((row) => row.length === 3 && row.every((id) => id === row[0])));
    const prompts = column<string>("prompt").filter((_, i) => i % 2 === 0);
    const want = await run.policy.logprobs(run.policy.sequences(prompts, tokens), 0.7);
    assert.deepEqual(lists(column("sampler_logprobs")), want.map((row) => [...row]));
  }));
