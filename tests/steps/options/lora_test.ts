import assert from "node:assert/strict";
import { modelConfig } from "../../../gpu/models/config.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { adapterPlan } from "../../../steps/options/adapter_plan.ts";
import { adapterProblems, LORA, trainsAdapter } from "../../../steps/options/lora.ts";
import { readJson } from "../../gpu/safetensors.ts";

/** Two layers, q/k/v biases, tied embeddings. */
const QWEN = parameterLayout(modelConfig(readJson("models/qwen2/config.json")));

Deno.test("adapterProblems() refuses patterns that are no regular expression or may never end", () => {
  const problems = (target_modules: string) => adapterProblems({ lora: LORA.parse({ target_modules }) });
  for (const pattern of ["all_linear", ".*_proj", String.raw`model\.layers\.\d+\..*(q|v)_proj`]) {
    assert.deepEqual(problems(pattern), [], pattern);
  }
  for (
    const [pattern, why] of [
      ["(a+)+b", /repeats a group that repeats or chooses/],
      ["(.|.)*x", /repeats a group that repeats or chooses/],
      [".*.*.*.*.*x", /repeats more than 4 times/],
      ["(q", /it is no regular expression/],
      [String.raw`(q)\1`, /it refers back to a group/],
      ["x".repeat(500), /it has 500 characters/],
    ] as const
  ) {
    assert.match(problems(pattern)[0] ?? "", why, pattern);
    assert.throws(() => adapterPlan(QWEN, LORA.parse({ target_modules: pattern })), why);
  }
  assert.match(
    adapterProblems({ lora: LORA.parse({ rank_pattern: { "(a+)+": 2 } }) }).join(),
    /Cannot match "\(a\+\)\+": it repeats/,
  );
});

Deno.test("init is one of PEFT's that begin without the base: others are refused by name", () => {
  for (const init of [true, false, "gaussian", "kaiming_uniform"]) assert.equal(LORA.parse({ init }).init, init);
  for (const init of ["pissa", "olora", "loftq", "eva", "pissa_niter_4"]) {
    const { error } = LORA.safeParse({ init });
    assert.match(error!.issues[0]!.message, new RegExp(`^init is "${init}", want kaiming_uniform .*begin from`));
  }
});

Deno.test("an adapter is a saved one or a fresh one; a fresh one stands upon a saved one that is merged", () => {
  const lora = LORA.parse({}), adapter = "./a";
  assert.deepEqual(adapterProblems({ adapter }), []);
  assert.deepEqual(adapterProblems({ adapter, lora, merge: true }), []);
  assert.match(adapterProblems({ adapter, lora })[0]!, /^Cannot use "lora": adapter is \.\/a, .* one of the two$/);
  assert.match(adapterProblems({ adapter, lora, merge: false })[0]!, /, or set merge: true for a fresh one/);
  assert.match(adapterProblems({ merge: true })[0]!, /^Cannot use "merge": there is no adapter/);
  const trains = [{}, { lora }, { adapter }, { adapter, merge: true }, { adapter, merge: true, lora }];
  assert.deepEqual(trains.map(trainsAdapter), [false, true, true, false, true]);
});
