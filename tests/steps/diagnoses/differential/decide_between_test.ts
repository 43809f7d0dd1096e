/** The look between two causes, in the words of the run's system. */
import assert from "node:assert/strict";
import { decided, decisive, done, lookText } from "../../../../steps/diagnoses/differential/decide_between.ts";
import type { Likely } from "../../../../steps/diagnoses/differential/differential.ts";
import { RunView } from "../../../../steps/diagnoses/view/run_view.ts";
import { viewOf } from "../synthetic.ts";

const likely = (cause: string, probability: number): Likely => ({ cause, probability, for: [], against: [] });

Deno.test("decisive() takes a look that shows both causes, and each its own sign", () => {
  const look = decisive("reward_hacking", "entropy_collapse", viewOf({ system: "trl" }))!;
  assert.equal(look.look, "read_completions");
  assert.deepEqual(look.options, ["log_completions=true"]);
  assert.match(look.if, /trick/);
  assert.match(look.else!, /differ at the start/);
  assert.equal(
    lookText("reward_hacking", look),
    `${look.about}: reward_hacking if ${look.if}; entropy_collapse if ${look.else}`,
  );
});

Deno.test("decisive() leaves out what the run shows already, and says what is left where only one is shown", () => {
  const blind = decisive("flat_reward_no_learning", "critic_not_learning", viewOf({ system: "trl" }))!;
  assert.equal(blind.look, "print_ties");
  assert.equal(blind.else, null);
  assert.match(lookText("flat_reward_no_learning", blind), /; otherwise critic_not_learning$/);
  const entropy = decisive("entropy_collapse", undefined, viewOf({ system: "verl" }))!;
  assert.deepEqual([entropy.look, entropy.options], ["print_entropy", [
    "actor_rollout_ref.actor.calculate_entropy=true",
  ]]);
  const shown = decisive("entropy_collapse", undefined, viewOf({ columns: { entropy: [1, 0.5] } }))!;
  assert.equal(shown.look, "more_samples");
  assert.match(lookText("entropy_collapse", shown), /: it is entropy_collapse if /);
  const all = viewOf({ settings: { beta: 0 }, columns: { kl: [1, 1] } });
  assert.equal(decisive("wrong_reference_model", undefined, all), null);
});

Deno.test("done() speaks each system's language: flags, heirs of TRL, lines and commands of ours, nothing unknown", () => {
  const of = (system: string) => done("evaluate_held_out", viewOf({ system }));
  assert.deepEqual(of("trl").options, ["eval_strategy=steps", "eval_steps=10"]);
  assert.deepEqual(of("ms-swift").options, ["--eval_strategy steps", "--eval_steps 10"]);
  assert.deepEqual(of("verl").options, ["trainer.test_freq=10"]);
  assert.deepEqual(of("openrlhf").options, ["--eval.steps 10"]);
  const unknown = new RunView({ imported: true, trainSteps: [], columns: new Map() });
  assert.deepEqual(done("evaluate_held_out", unknown), { options: [], command: [] });
  assert.deepEqual(done("compare_logprobs", viewOf({ system: "openrlhf" })).options, [
    "--algo.advantage.is_correction_enable",
  ]);
  assert.deepEqual(done("read_completions", viewOf({ system: "visual-rft" })).options, []);
  assert.deepEqual(done("more_samples", viewOf({ own: true })), {
    options: [],
    command: ["sample", "RUN", "-n", "32"],
  });
});

Deno.test("done() changes evaluations, never how a run is trained, and names no option that is in force", () => {
  const of = (system: string, settings = {}) => done("more_samples", viewOf({ system, settings })).options;
  assert.deepEqual(of("trl"), ["num_generations_eval=32", "eval_strategy=steps", "eval_on_start=true"]);
  assert.deepEqual(of("trl", { eval_strategy: "steps", num_generations: 8 }), [
    "num_generations_eval=32",
    "eval_on_start=true",
  ]);
  assert.deepEqual(of("trl", { eval_strategy: "epoch" }).length, 3);
  assert.deepEqual(of("verl"), [
    "actor_rollout_ref.rollout.val_kwargs.n=32",
    "actor_rollout_ref.rollout.val_kwargs.do_sample=true",
    "trainer.val_only=true",
  ]);
  assert.deepEqual(of("openrlhf"), ["--eval.n_samples_per_prompt 32"]);
  for (const system of ["trl", "verl", "openrlhf", "ms-swift", "visual-rft"]) {
    const view = viewOf({ system, settings: { max_completion_length: 256, "data.max_response_length": 256 } });
    assert.deepEqual(done("longer_cap", view).options, [], system);
  }
  const printed = viewOf({ system: "trl", settings: { log_completions: "True" } });
  assert.deepEqual(done("read_completions", printed).options, []);
});

Deno.test("decided() tells the first from its first look-alike, not from what follows from it, and the others from the first", () => {
  const [first, effect, other] = decided(
    [likely("entropy_collapse", 0.6), likely("reward_collapse", 0.2), likely("mode_collapse", 0.1)],
    undefined,
    viewOf({ system: "trl" }),
  );
  assert.notEqual(first!.decide!.against, "reward_collapse");
  assert.equal(effect!.decide!.against, "entropy_collapse");
  assert.equal(other!.decide!.against, "entropy_collapse");
  // Group sizes that are too small are told from groups without spread, which follow from them.
  const [small] = decided(
    [likely("group_size_too_small", 0.6), likely("zero_reward_variance", 0.2)],
    undefined,
    viewOf({}),
  );
  assert.equal(small!.decide!.against, null);
  const turned = decided(
    [likely("reward_collapse", 0.6), likely("entropy_collapse", 0.3)],
    "entropy_collapse",
    viewOf({}),
  );
  assert.deepEqual(turned.map(({ decide }) => decide!.against), ["entropy_collapse", null]);
  assert.deepEqual(decided([], undefined, viewOf({})), []);
});
