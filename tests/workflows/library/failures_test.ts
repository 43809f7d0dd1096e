/** The failures that come with the project: each plans, a quick part of them runs and is named, their twins stay silent. */
import assert from "node:assert/strict";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Fault } from "../../../steps/faults/fault.ts";
import { FAULTS } from "../../../steps/faults/mod.ts";
import { STEPS } from "../../../steps/mod.ts";
import { runPlan } from "../../../workflows/engine/run_plan.ts";
import { loadWorkflow } from "../../../workflows/language/parse.ts";
import { planRuns } from "../../../workflows/plan/plan_workflow.ts";
import { listen, runFault } from "../../bench/faults.ts";

const FOLDER = fileURLToPath(new URL("../../../workflows/library/failures/", import.meta.url));
const named = (folder: string) =>
  [...Deno.readDirSync(folder)].filter(({ name }) => name.endsWith(".yaml")).map(({ name }) => basename(name, ".yaml"))
    .sort();
/** Failures once more, on a model that reads pictures: their faults; none where the model folder itself asks for the failure. */
const ON_PICTURES: Readonly<Record<string, readonly string[]>> = {
  visual_greedy_sampling: [],
  visual_garbled_attention: ["broken_attention"],
};

const planned = async (file: string) => {
  const loaded = await loadWorkflow(file, { kinds: STEPS });
  return planRuns(loaded, STEPS)[0]!;
};

Deno.test("there is one workflow per kind of fault, and at least 45 kinds", () => {
  assert.deepEqual(named(FOLDER), [...Object.keys(FAULTS), ...Object.keys(ON_PICTURES)].sort());
  assert.ok(named(FOLDER).length >= 45);
});

Deno.test("every failure plans, injects its own fault and says what goes wrong", async () => {
  for (const kind of named(FOLDER)) {
    const plan = await planned(`${FOLDER}${kind}.yaml`);
    const pictures = ON_PICTURES[kind];
    assert.deepEqual(plan.settings.faults.map((fault) => fault["kind"]), pictures ?? [kind]);
    assert.equal(plan.name, kind);
    if (pictures) continue;
    assert.equal(plan.about, `${(FAULTS as Record<string, Fault>)[kind]!.about}.`);
  }
});

Deno.test("every failure has a look-alike without a fault, and every look-alike belongs to a failure", async () => {
  const clean = named(`${FOLDER}clean`);
  const wanted = new Set(Object.values(FAULTS).map((fault) => (fault as Fault).lookAlike));
  for (const name of clean) assert.deepEqual((await planned(`${FOLDER}clean/${name}.yaml`)).settings.faults, [], name);
  assert.deepEqual([...wanted].filter((name) => !clean.includes(name)), []);
});

Deno.test("a misspelled fault is refused before the run, with its place", async () => {
  const folder = await Deno.makeTempDir();
  const text = (await Deno.readTextFile(`${FOLDER}nan_weight.yaml`)).replace("kind: nan_weight", "kind: nan_weigth");
  await Deno.writeTextFile(`${folder}/typo.yaml`, text);
  await assert.rejects(
    () => planned(`${folder}/typo.yaml`),
    /typo\.yaml:\d+:13: unknown fault "nan_weigth"; did you mean/,
  );
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a run with a fault says so at its start and in its manifest", async () => {
  const runsFolder = await Deno.makeTempDir();
  const said: string[] = [];
  const { folder } = await runPlan(await planned(`${FOLDER}learning_rate_zero.yaml`), {
    runsFolder,
    projectFolder: FOLDER,
    onEvent: (event) => void (event.event === "message" && said.push(String(event["text"]))),
  });
  assert.equal(said[0], "fault injected: learning_rate_zero (set the learning rate to 0)");
  const manifest = JSON.parse(await Deno.readTextFile(`${folder}/run.json`));
  assert.deepEqual(manifest.faults, [{ kind: "learning_rate_zero" }]);
  assert.match(await Deno.readTextFile(`${folder}/workflow.yaml`), /learning_rate: 0\.0001/);
  await Deno.remove(runsFolder, { recursive: true });
});

/** Quick ones of every kind: the failures this project started from among them. */
const QUICK = [
  "near_greedy_sampling",
  "broken_attention",
  "frozen_parameters",
  "cancelling_rewards",
  "token_zero",
  "old_logprobs_nan",
  "nan_weight",
  "nan_reward",
  "flipped_advantages",
  "detached_loss",
  "learning_rate_ten",
  "shuffled_answers",
  "sft_no_labels",
  "kto_one_class",
  "identical_pairs",
  "kto_vanilla_nan",
  "wrong_preference_reference",
  "preference_learning_rate_zero",
  "preference_detached_loss",
  "preference_nan_weight",
  "critic_learning_rate_zero",
  "critic_detached",
  "critic_nan_weight",
  "old_logprobs_nan_verl",
  "old_logprobs_nan_trl",
  "frozen_adapter",
  "adapter_without_gradient",
  "adapter_not_off",
];

for (const kind of QUICK) {
  Deno.test(`${kind} is named at its first train step`, async () => {
    const runs = await Deno.makeTempDir();
    const outcome = await runFault(kind, 1, runs);
    await Deno.remove(runs, { recursive: true });
    assert.deepEqual([outcome.named, outcome.latency], [true, 1], outcome.said.join(", ") || "silence");
  });
}

/** What takes more than a train step to show, and the one in which it is named. */
const LATER = {
  critic_learning_rate_ten: 2,
  margin_blowup: 6,
  flipped_labels: 12,
  kto_flipped_labels: 12,
  likelihood_left_out: 100, // likelihood is lost little by little
};

for (const [kind, latency] of Object.entries(LATER)) {
  Deno.test(`${kind} is named at train step ${latency}`, async () => {
    const runs = await Deno.makeTempDir();
    const outcome = await runFault(kind, 1, runs);
    await Deno.remove(runs, { recursive: true });
    assert.deepEqual([outcome.named, outcome.latency], [true, latency], outcome.said.join(", ") || "silence");
  });
}

for (
  const name of [
    "grpo",
    "cool_sampling",
    "reinforce_plus_plus",
    "kl_in_reward",
    "two_rewards",
    "zero_loss",
    "lora",
    "lora_kl",
    "frozen_embeddings",
    "sft",
    "dpo",
    "kto",
    "kto_unbalanced",
    "apo",
    "ppo",
  ]
) {
  Deno.test(`clean/${name} ends without an alarm`, async () => {
    const runs = await Deno.makeTempDir();
    const told = await listen(`${FOLDER}clean/${name}.yaml`, { seed: 2, train_steps: 12 }, runs);
    await Deno.remove(runs, { recursive: true });
    // A busy machine is seen, too: that is no property of the run.
    const alarms = told.alarms.filter(({ cause }) => cause !== "resource_stall");
    assert.deepEqual([told.status, alarms.map(({ cause, message }) => [cause, message])], ["ok", []]);
  });
}
