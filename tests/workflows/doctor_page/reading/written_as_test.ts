import assert from "node:assert/strict";
import { changedOption, formIn, writtenAs } from "../../../../workflows/doctor_page/reading/written_as.ts";

const CASES: readonly [line: string, change: string, want: string | null][] = [
  ["  --temperature 0.01 \\", "temperature=1", "--temperature 1.0"],
  ["swift rlhf --top-p=0.001", "--top_p 1", "--top-p=1.0"],
  ["    temperature = 1.0, top_k = 1,", "top_k=0", "top_k = 0"],
  ["actor_rollout_ref.rollout.n=1 trainer.x=2", "actor_rollout_ref.rollout.n=8", "actor_rollout_ref.rollout.n=8"],
  ["  lr: 1.0e-3  # high", "actor_rollout_ref.actor.optim.lr=1.0e-6", "lr: 1.0e-6"],
  ['  "use_kl_loss": false,', "use_kl_loss=true", '"use_kl_loss": true'],
  [
    "GRPOConfig(mask_truncated_completions=True)",
    "mask_truncated_completions=false",
    "mask_truncated_completions=False",
  ],
  ["eval_strategy='no'", "eval_strategy=steps", 'eval_strategy="steps"'],
  ["{'temperature': 0.01, 'loss': 0}", "temperature=1", null],
  ["we set the temperature to 0.01", "temperature=1", null],
  ["--top_p 0.9", "p=1", null],
];

for (const [line, change, want] of CASES) {
  Deno.test(`writtenAs() makes "${change}" ${want ?? "nothing else"} of "${line}"`, () => {
    const form = formIn(line, changedOption(change)!);
    assert.equal(form === null ? null : writtenAs(change, form), want);
  });
}

Deno.test("changedOption() is none of a command or a sentence", () => {
  assert.equal(changedOption("deno task sample RUN -n 32"), null);
  assert.equal(changedOption("Raise it a little"), null);
  assert.equal(changedOption("--a.b"), "a.b");
});

Deno.test("formIn() looks through a long line of an option's own letters at once", () => {
  for (const text of ["temperature ".repeat(40_000), "-".repeat(400_000), " ".repeat(400_000) + "--temperature"]) {
    assert.equal(formIn(text, "temperature")?.kind ?? null, null);
  }
});
