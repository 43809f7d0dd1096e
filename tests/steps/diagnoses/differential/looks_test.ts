/** The looks: every option that they name is one of its system, every command one of ours. */
import assert from "node:assert/strict";
import { parse } from "yaml";
import { type Look, lookAt, type LookName, LOOKS } from "../../../../steps/diagnoses/differential/looks.ts";
import { done } from "../../../../steps/diagnoses/differential/decide_between.ts";
import { SIGNS } from "../../../../steps/diagnoses/differential/signs.ts";
import { type CommandName, COMMANDS } from "../../../../workflows/cli/mod.ts";
import KNOWN from "../../../data/option_table/known_options.json" with { type: "json" };
import { flat, group, viewOf } from "../synthetic.ts";

/** Options that a system takes from elsewhere, or that its list lacks: read in the place named. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  trl: ["eval_strategy", "eval_steps", "eval_on_start"], // transformers 5.18, TrainingArguments
  verl: ["actor_rollout_ref.rollout.calculate_log_probs"], // verl, rollout configuration
  "ms-swift": ["log_entropy", "rollout_importance_sampling_mode"], // its command-line parameters
};

const looks = Object.entries(LOOKS) as [string, Look][];

Deno.test("LOOKS name options that their systems have", () => {
  const known = KNOWN as Record<string, { reinforcement: string[]; given: string[] }>;
  for (const [name, { prints = {} }] of looks) {
    for (const [system, options] of Object.entries(prints)) {
      const lists = [...known[system]?.reinforcement ?? [], ...known[system]?.given ?? []];
      for (const option of Object.keys(options)) {
        assert(lists.includes(option) || ELSEWHERE[system]?.includes(option), `${name}: ${system} has no ${option}`);
      }
    }
  }
});

Deno.test("LOOKS name commands and options of ours that there are", async () => {
  for (const [name, { command = [] }] of looks) {
    const [called, ...words] = command;
    if (called === undefined) continue;
    assert(Object.hasOwn(COMMANDS, called), `${name}: no command ${called}`);
    const { options } = await COMMANDS[called as CommandName]();
    const shorts = Object.values(options).map(({ short }) => short);
    for (const word of words.filter((word) => word.startsWith("-"))) {
      assert(
        Object.hasOwn(options, word.slice(2)) || shorts.includes(word.slice(1)),
        `${name}: ${called} ${word}`,
      );
    }
    assert(words.includes("RUN"), name);
  }
});

Deno.test("LOOKS are pasted into each system as an option or a flag, into a workflow of ours as YAML", () => {
  const settings = {
    trl: { learning_rate: 1e-4, max_completion_length: 256 },
    verl: { "actor_rollout_ref.actor.optim.lr": 1e-4, "data.max_response_length": 256 },
    openrlhf: { "actor.adam.lr": 1e-4 },
    "ms-swift": { learning_rate: 1e-4, max_completion_length: 256 },
    "visual-rft": { learning_rate: 1e-4, max_completion_length: 256 },
  };
  for (const [system, own] of Object.entries(settings)) {
    const lines = looks.flatMap(([name]) => done(name as LookName, viewOf({ system, settings: own })).options);
    assert(lines.length >= 4, `${system}: ${lines.join(", ")}`);
    for (const line of lines) assert.match(line, /^(?:--[\w.]+(?: [\w.-]+)?|[\w.]+=[\w.-]+)$/, system);
  }
  for (const [name] of looks) {
    for (const line of done(name as LookName, viewOf({ own: true, settings: { learning_rate: 1e-3 } })).options) {
      assert.equal(typeof parse(line), "object", line);
    }
  }
});

Deno.test("LOOKS are done where a run shows what they would, and every one is a sign of some cause", () => {
  assert(LOOKS.print_entropy.isDone(viewOf({ columns: { entropy: [1, 1] } })));
  assert(!LOOKS.print_entropy.isDone(viewOf({ columns: { reward: [1, 1] } })));
  assert(LOOKS.give_configuration.isDone(viewOf({ settings: { beta: 0 } })));
  assert(LOOKS.compare_logprobs.isDone(viewOf({ columns: { sampler_kl: [0.1] } })));
  assert(LOOKS.print_ties.isDone(viewOf({ columns: { zero_spread_fraction: [0.5] } })));
  assert(LOOKS.more_samples.isDone(viewOf({ settings: { num_generations: 32 }, system: "trl" })));
  assert(!LOOKS.more_samples.isDone(viewOf({ settings: { num_generations: 8 }, system: "trl" })));
  const used = new Set(Object.values(SIGNS).flatMap((signs) => Object.keys(signs)));
  assert.deepEqual(Object.keys(LOOKS).filter((name) => !used.has(name)), []);
});

Deno.test("held-out results are looked at already where evaluations of texts print their loss, of rollouts a score", () => {
  const { isDone } = LOOKS.evaluate_held_out;
  const of = (algorithm: string, evaluation: string, values: number[]) =>
    isDone(viewOf({ algorithm, columns: { loss: [1, 1, 1] }, evaluations: { [evaluation]: values } }));
  assert(of("dpo", "loss", [0.7, 0.8, 0.9]));
  assert(of("sft", "loss", [0.7, 0.8, 0.9]));
  assert(of("kto", "preference_accuracy", [0.7, 0.8, 0.9]));
  assert(!of("dpo", "loss", [0.7, 0.8]), "two show no turn");
  assert(!of("grpo", "loss", [0.7, 0.8, 0.9]), "the loss of rollouts says nothing");
  assert(of("grpo", "accuracy", [0.7, 0.8, 0.9]));
  assert(of("grpo", "reward", [0.7, 0.8, 0.9]));
});

Deno.test("a look goes back to before the onset only where there was something before it", () => {
  const columns = { reward: flat(1, 40) };
  const names: LookName[] = ["read_completions", "evaluate_held_out", "repeat_smaller", "first_tensor"];
  for (const name of names) {
    for (const onset of [1, 2]) {
      const view = viewOf({ system: "openrlhf", columns }), { about } = lookAt(name, view, onset);
      assert.doesNotMatch(about, /onset/, `${name} at ${onset}`);
      assert(!done(name, view, onset).options.join().includes("ckpt"), name);
      assert(!done(name, viewOf({ own: true, columns }), onset).command.includes("--resume"), name);
    }
    for (const onset of [20, null]) assert.match(lookAt(name, viewOf({ columns }), onset).about, /onset/);
    const resumed = viewOf({ columns, steps: flat(0, 40).map((_, i) => 500 + i) });
    assert.match(lookAt(name, resumed, 500).about, /onset/, "a log that begins in mid-run");
  }
});

Deno.test("completions that are printed since the onset are named with their lines, in place of an option that prints them", () => {
  const at = (trainStep: number, count: number, source = "/runs/a/completions.jsonl") =>
    group("a", Array(count).fill("b"), flat(0, count), { source, line: 1 })
      .map((row, i) => ({ ...row, trainStep, line: i + 1 }));
  const look = (completions: ReturnType<typeof at>) => {
    const view = viewOf({ columns: { reward: flat(1, 40) }, completions });
    return [lookAt("read_completions", view, 20).about, done("read_completions", view, 20).options.join()];
  };
  assert.deepEqual(look(at(30, 8)), [
    "read the completions in completions.jsonl, lines 1 to 8, with their rewards",
    "",
  ]);
  assert.match(look([...at(30, 8), ...at(31, 8, "b.jsonl")])[0]!, / in completions.jsonl and 1 more file, /);
  for (const few of [at(30, 2), at(10, 8)]) {
    assert.deepEqual(look(few), [LOOKS.read_completions.about, "log_completions=true"]);
  }
});
