/** Changes in the words of other systems. */
import assert from "node:assert/strict";
import type { OptionName } from "../../../../data/options.ts";
import {
  byFactor,
  inForce,
  optionLine,
  optionLines,
  optionOf,
  optionRule,
  REMEDY_SYSTEMS,
} from "../../../../steps/diagnoses/remedies/options.ts";
import type { Patch } from "../../../../steps/diagnoses/remedies/patch.ts";
import KNOWN from "../../../data/option_table/known_options.json" with { type: "json" };
import { flat, type Run, viewOf } from "../synthetic.ts";
import { EVERY_REMEDY } from "./every_patch.ts";

const LENGTH: Patch = { step: "sample_groups", key: "max_new_tokens", mul: 2, max: 400 };
const RATE: Patch = { step: "apply_update", key: "learning_rate", mul: 0.3, usual: true };

Deno.test("optionLine() names the option with the number to write, within its bounds", () => {
  assert.equal(
    optionLine(LENGTH, "trl", viewOf({ settings: { max_completion_length: 256 } })),
    "max_completion_length=400",
  );
  assert.equal(
    optionLine({ step: "sample_groups", key: "top_k", set: 0 }, "verl", viewOf({ system: "verl" })),
    "actor_rollout_ref.rollout.top_k=-1", // 0 keeps no token with vLLM
  );
  assert.equal(
    optionLine({ step: "apply_update", key: "clip_high", least: 0.28 }, "openrlhf", viewOf({ system: "openrlhf" })),
    "--actor.eps_clip_low_high 0.2 0.28",
  );
});

Deno.test("optionLine() is silent where no value can be told, or the system has no such option or value", () => {
  assert.equal(optionLine(LENGTH, "trl", viewOf({})), null); // the cap in force is not known
  assert.equal(optionLine(RATE, "trl", viewOf({})), null);
  assert.equal(optionLine({ step: "load_model", key: "trainable", set: ["*"] }, "trl", viewOf({})), null);
  assert.equal(optionLine({ step: "load_model", key: "reference", set: "copy" }, "trl", viewOf({})), null);
  assert.equal(optionLine({ option: "desirable_weight", set: 1 }, "verl", viewOf({})), null);
  assert.equal(
    optionLine({ step: "sample_groups", key: "temperature", set: 1 }, "trl", viewOf({ settings: { temperature: 1 } })),
    null,
  );
});

Deno.test("optionLine() takes the rate that was printed, and the name that the run itself uses", () => {
  assert.equal(
    optionLine(RATE, "trl", viewOf({ columns: { learning_rate: [0.05, 0.05, 0.04] } })),
    "learning_rate=1.0e-6",
  );
  assert.equal(
    optionLine(RATE, "openrlhf", viewOf({ system: "openrlhf", settings: { actor_learning_rate: 1e-5 } })),
    "--actor_learning_rate 1.0e-6",
  );
});

Deno.test("inForce() shows the value of the configuration as a number where it is one", () => {
  assert.deepEqual(inForce(viewOf({ settings: { temperature: "0.5" } }), "temperature"), {
    now: 0.5,
    likely: null,
    usual: 1e-6,
  });
  assert.equal(inForce(viewOf({}), "temperature").now, null);
});

Deno.test("inForce() is the system's default where the configuration is silent, and only likely where there is none", () => {
  const silent = viewOf({ system: "openrlhf", settings: { "actor.adam.lr": 1e-6 } });
  assert.deepEqual([inForce(silent, "kl_coef").now, inForce(silent, "kl_coef").likely], [0.01, 0.01]);
  const none = viewOf({ system: "openrlhf", settings: { "logger.logging_steps": 1 } });
  assert.deepEqual([inForce(none, "kl_coef").now, inForce(none, "kl_coef").likely], [null, 0.01]);
  assert.equal(
    optionLine({ step: "apply_update", key: "kl_coef", mul: 2 }, "openrlhf", silent),
    "--algo.kl.init_coef 0.02",
  );
  const verl = viewOf({ system: "verl", settings: { "actor_rollout_ref.actor.optim.lr": 1e-6 } });
  assert.equal(optionLine({ step: "apply_update", key: "aggregation", set: "token_mean" }, "verl", verl), null);
});

Deno.test("optionLine() offers no number of epochs where a count of updates holds instead", () => {
  const epochs = { option: "epochs", set: 1 } as const;
  assert.equal(optionLine(epochs, "trl", viewOf({ settings: { max_steps: 400 } })), null);
  assert.equal(optionLine(epochs, "trl", viewOf({ settings: { max_steps: -1 } })), "num_train_epochs=1");
});

Deno.test("optionLines() speaks the run's own system, and none for a run of ours", () => {
  const patches: Patch[] = [{ step: "sample_groups", key: "group_size", set: 8 }, LENGTH];
  assert.deepEqual(optionLines(patches, viewOf({ system: "verl" })), ["verl: actor_rollout_ref.rollout.n=8"]);
  assert.deepEqual(optionLines(patches, viewOf({ own: true })), []);
});

Deno.test("optionLines() names, of a run of no known system, those that train by its method", () => {
  const patches: Patch[] = [{ option: "learning_rate", set: 1e-6 }];
  const systems = (algorithm: string) =>
    optionLines(patches, Object.assign(viewOf({ algorithm }), { system: null })).map((line) => line.split(":")[0]);
  assert.deepEqual(systems("grpo"), ["trl", "verl", "openrlhf", "visual-rft"]);
  assert.deepEqual(systems("dpo"), ["trl", "openrlhf"]);
  assert.deepEqual(systems("kto"), ["trl", "openrlhf"]);
  assert.deepEqual(systems("sft"), ["trl", "verl", "openrlhf"]);
  assert.deepEqual(systems("ppo"), ["trl", "verl", "openrlhf"]);
});

Deno.test("optionOf() takes an option of the same name only: our epsilon is Adam's, TRL's the clip range", () => {
  assert.equal(optionOf({ step: "apply_update", key: "epsilon", set: 1e-8 }), null);
  assert.equal(optionOf({ step: "apply_update", key: "clip_low", set: 0.2 }), "clip_low");
});

Deno.test("a run with an actor and a critic is told whose rate to change, whatever a person called it", () => {
  const rate = (system: string, algorithm: string) =>
    optionLines(
      [{ option: "learning_rate", set: 1e-7 }],
      viewOf({ system, algorithm, settings: { learning_rate: 1e-5 } }),
    );
  assert.deepEqual(rate("openrlhf", "ppo"), ["openrlhf: --actor_learning_rate 1.0e-7"]);
  assert.deepEqual(rate("openrlhf", "dpo"), ["openrlhf: --learning_rate 1.0e-7"]);
  assert.deepEqual(rate("trl", "ppo"), ["trl: learning_rate=1.0e-7"]);
});

Deno.test("a run on given texts is told the options of its trainer", () => {
  const patches: Patch[] = [{ option: "learning_rate", usual: true }, { option: "kl_coef", set: 0.1 }];
  assert.deepEqual(optionLines(patches, viewOf({ system: "openrlhf", algorithm: "dpo" })), [
    "openrlhf: --adam.lr 1.0e-6",
    "openrlhf: --model.beta 0.1",
  ]);
});

Deno.test("every option that a remedy prints exists in its system", () => {
  for (const [cause, patches] of EVERY_REMEDY) {
    for (const patch of patches) {
      for (const system of REMEDY_SYSTEMS) {
        const line = optionRule(patch, system);
        if (line === null) continue;
        const name = /^(?:--)?([\w.]+)/.exec(line)![1]!;
        const { reinforcement, given } = KNOWN[system];
        const known: readonly string[] = "step" in patch ? reinforcement : [...given, ...reinforcement];
        // A dictionary's entry stands under the dictionary.
        assert(known.includes(name) || known.includes(name.split(".")[0]!), `${cause}: ${system} has no ${name}`);
      }
      if ("option" in patch) {
        assert(REMEDY_SYSTEMS.some((system) => optionRule(patch, system) !== null), `${cause}: ${patch.option}`);
      }
    }
  }
});

Deno.test("no remedy prints a placeholder", () => {
  // A number for every option: what then has no value has none anywhere.
  for (const [cause, patches] of EVERY_REMEDY) {
    for (const system of REMEDY_SYSTEMS) {
      for (
        const settings of [
          {},
          Object.fromEntries(patches.flatMap((p) => optionOf(p) ?? []).map((o: OptionName) => [o, 0.5])),
        ]
      ) {
        for (const line of optionLines(patches, viewOf({ system, settings }))) {
          assert.match(line, /^[\w-]+: (?:[\w.]+=[^\s]+|--[\w.]+ [^\s]+( [\d.]+)?)$/, `${cause}: ${line}`);
        }
      }
    }
  }
});

Deno.test("inForce() is what the log shows where no configuration does: a KL that is measured, a weight that is logged", () => {
  const logs = viewOf({
    system: "verl",
    columns: { kl: [0, 0.002], kl_coef: [0.001, 0.001], entropy_coef: [0.01, 0.02] },
  });
  assert.deepEqual(["kl_in_loss", "kl_coef", "entropy_coef"].map((name) => inForce(logs, name).now), [
    true,
    0.001,
    0.02,
  ]);
  const rewarded = viewOf({ system: "verl", columns: { kl: [0, 0.002], reward_kl_coef: [0.001, 0.001] } });
  assert.equal(inForce(rewarded, "kl_in_loss").now, null, "the KL is taken off the reward");
  assert.equal(inForce(viewOf({ system: "verl", columns: { kl: [0, 0] } }), "kl_in_loss").now, null);
  const texts = viewOf({ system: "verl", settings: { "actor_rollout_ref.actor.use_kl_loss": "True" } });
  assert.equal(inForce(texts, "kl_in_loss").now, true);
});

Deno.test("byFactor() names a size whose value the run does not show; where the log does, optionLine() has the number", () => {
  const group: Patch = { step: "sample_groups", key: "group_size", mul: 2, max: 64 };
  const told = (run: Run) => byFactor([LENGTH, group, RATE], viewOf(run));
  assert.match(
    told({ system: "trl" })!,
    /^Raise max_completion_length to 2 times and num_generations to 2 times what is in force/,
  );
  assert.match(told({ system: "openrlhf" })!, /^Raise --rollout\.max_new_tokens to 2 times and /);
  assert.equal(told({ system: "trl", settings: { max_completion_length: 400, num_generations: 8 } }), undefined);
  const columns = { truncated_fraction: flat(0.3, 5), completion_length_max: flat(128, 5) };
  assert.equal(optionLine(LENGTH, "trl", viewOf({ columns })), "max_completion_length=256");
});
