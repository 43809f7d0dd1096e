import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { NUMBER_SYMPTOMS } from "../../../../steps/diagnoses/told/number_symptoms.ts";
import { PAIR_SYMPTOMS } from "../../../../steps/diagnoses/told/pair_symptoms.ts";
import { REWARD_SYMPTOMS } from "../../../../steps/diagnoses/told/reward_symptoms.ts";
import type { Symptom } from "../../../../steps/diagnoses/told/symptom.ts";
import { type SymptomName, SYMPTOMS, symptomsOf } from "../../../../steps/diagnoses/told/symptoms.ts";
import { TEXT_SYMPTOMS } from "../../../../steps/diagnoses/told/text_symptoms.ts";
import { UPDATE_SYMPTOMS } from "../../../../steps/diagnoses/told/update_symptoms.ts";
import { alarmsOf, seen } from "./diagnosed.ts";
import { viewOfPost } from "./view_of_post.ts";

Deno.test("SYMPTOMS has each symptom of each table once, and each says what it is", () => {
  const names = [UPDATE_SYMPTOMS, NUMBER_SYMPTOMS, REWARD_SYMPTOMS, TEXT_SYMPTOMS, PAIR_SYMPTOMS].flatMap((table) =>
    Object.keys(table)
  );
  assert.deepEqual(names.filter((name, i) => names.indexOf(name) !== i), [], "in two tables");
  assert.deepEqual(Object.keys(SYMPTOMS).sort(), names.sort());
  for (const [name, symptom] of Object.entries(SYMPTOMS)) {
    assert(symptom.about.length > 0 && ("says" in symptom || "shows" in symptom), name);
  }
});

/** What shows these is a 0, a NaN, a text, an option, or what is said: no number has a border. */
const BORDERLESS: readonly SymptomName[] = [
  "overflow_at_floor",
  "parts_frozen",
  "gradient_none",
  "eval_not_finite",
  "critic_not_finite",
  "rate_zero",
  "loss_zero",
  "loss_not_finite",
  "gradient_zero",
  "gradient_not_finite",
  "kl_not_finite",
  "masked",
  "nan_from_start",
  "eval_loss_nan",
  "reward_code_constant",
  "reward_top",
  "groups_filtered",
  "reward_not_finite",
  "garbled_early",
  "texts_worsen",
  "no_parameters",
  "adapter_unchanged",
];

Deno.test("each symptom that numbers show says from which on, in the numbers that decide", () => {
  const shown = (Object.entries(SYMPTOMS) as [SymptomName, Symptom][]).filter(([, { shows }]) => shows !== undefined);
  assert.deepEqual(
    shown.filter(([, { border }]) => border === undefined).map(([name]) => name).sort(),
    [...BORDERLESS].sort(),
  );
  for (const [name, { about, border, shows }] of Object.entries(SYMPTOMS) as [SymptomName, Symptom][]) {
    if (border === undefined) continue;
    assert(shows !== undefined && border !== about && !/NaN|undefined|\.$/.test(border), name);
  }
  assert.equal(SYMPTOMS.kl_grows.border, "it ends above 0.2 nats per token, and above 20 times its first value");
  assert.equal(SYMPTOMS.entropy_falls.border, "it ends below 15 % of its first value");
  assert.match(SYMPTOMS.chosen_falls.border, /ends below -1, or its log-prob ends more than 20 nats/);
});

Deno.test("each symptom is used by a pattern or by what holds a verdict back", () => {
  const folder = new URL("../../../../steps/diagnoses/", import.meta.url);
  const files = [...Deno.readDirSync(folder), ...Deno.readDirSync(new URL("told/", folder))].map(({ name }) => name);
  const text = files.filter((name) => /\.ts$/.test(name)).map((name) => {
    const own = new URL(name, folder), told = new URL(`told/${name}`, folder);
    return [own, told].map((file) => existsSync(file) ? Deno.readTextFileSync(file) : "").join("\n");
  }).join("\n");
  assert.deepEqual(Object.keys(SYMPTOMS).filter((name) => !text.includes(`"${name}"`)), []);
});

Deno.test("symptomsOf() takes a gradient of 0 for none where the log prints another", async () => {
  const post = (gradient: number) =>
    `SFT: the gradient is 0, why?\n\n{'loss': 0.692, 'grad_norm': ${gradient}}\n{'loss': 0.641, 'grad_norm': ${gradient}}\n`;
  assert(!symptomsOf(await viewOfPost(post(5.8))).has("gradient_zero"));
  assert(symptomsOf(await viewOfPost(post(0))).has("gradient_zero"));
});

Deno.test("symptomsOf() shows numbers before what is said, and at most two claims", async () => {
  const view = await viewOfPost(
    "I run GRPO. The loss is NaN. The loss is NaN again. The loss is NaN in fp32 as well. Why?\n\n" +
      "{'loss': 0.1, 'reward': 0.4}\n{'loss': nan, 'reward': 0.4}\n",
  );
  const shown = symptomsOf(view).get("loss_not_finite")!;
  assert.deepEqual(shown.map(({ line, note }) => [line, note === "a claim"]), [[4, false], [1, true], [1, true]]);
});

Deno.test("symptomsOf() has what is said alone, what is shown alone, and nothing that is neither", async () => {
  const symptoms = symptomsOf(
    await viewOfPost(
      "GRPO: the outputs are gibberish. Why?\n\n{'loss': 0.21, 'kl': 0.01}\n{'loss': 0.22, 'kl': 3.4}\n",
    ),
  );
  assert.deepEqual([...symptoms.keys()].sort(), ["garbled", "kl_grows", "kl_moves"]);
});

Deno.test("symptomsOf() reads a view once", async () => {
  const view = await viewOfPost("GRPO: the outputs are gibberish. Why?");
  assert.equal(symptomsOf(view), symptomsOf(view));
});

Deno.test("symptomsOf() takes back what is said to be otherwise later, and not what is said after it", async () => {
  const risen = "GRPO in TRL. At first the reward rises.", rises = "GRPO in TRL. At first the reward falls.";
  const later = "After 400 steps the reward falls and the held-out accuracy falls.";
  assert(!(await seen(`${risen} ${later}`)).includes("reward_rises"));
  assert((await seen(`${rises} After 400 steps the reward rises.`)).includes("reward_rises"));
  assert(!(await alarmsOf(`${risen} ${later}`)).includes("reward_hacking"));
});

Deno.test("symptomsOf() lets a number that says otherwise win over the word for it", async () => {
  const table = "\n\n| step | loss |\n|---|---|\n| 10 | 1.50 |\n| 100 | 1.30 |\n| 300 | 1.10 |\n";
  const seen = async (post: string) => symptomsOf(await viewOfPost(post)).has("loss_rises");
  assert(await seen("SFT: the loss explodes. Why?"));
  assert(!await seen(`SFT: the loss explodes. Why?${table}`));
  assert(await seen(`SFT: after step 400 the loss explodes. Why?${table}`), "later than what is printed");
  assert(await seen(`SFT: later the loss explodes. Why?${table}`));
  assert(!await seen("SFT: loss explodes, it is 1.5 at step 10 and 1.1 at step 300."));
  assert(!await seen("SFT: the loss collapses after step 40."), "that is no rise");
  const small = symptomsOf(
    await viewOfPost("GRPO: KL rises from 0.02 to 0.03 over 300 steps and the reward drops from 0.60 to 0.58. Why?"),
  );
  assert(!small.has("kl_grows") && !small.has("reward_falls"));
  const large = symptomsOf(
    await viewOfPost("GRPO: KL rises from 0.02 to 12 over 300 steps and the reward drops from 0.60 to 0.08. Why?"),
  );
  assert(large.has("kl_grows") && large.has("reward_falls"));
  const kl = (...values: number[]) =>
    `GRPO: the KL climbs steadily.\n\n| step | kl |\n|---|---|\n${
      values.map((v, i) => `| ${i + 1} | ${v} |`).join("\n")
    }\n`;
  assert(!symptomsOf(await viewOfPost(kl(0, 1e-4, 5e-4))).has("kl_grows"), "printed, and next to nothing");
  assert(symptomsOf(await viewOfPost(kl(0, 0.8, 6))).has("kl_grows"));
  assert(symptomsOf(await viewOfPost(kl(0.1, 0.12, 0.15))).has("kl_grows"), "said, and no longer next to nothing");
});

Deno.test("a held-out score that stands still near its top is no floor", async () => {
  const of = (score: string) => alarmsOf(`TRL GRPO. Reward 0.2 → 0.5 → 0.8, val acc ${score}. Why?`);
  assert.deepEqual(await of("0.93 → 0.93"), []);
  assert.notDeepEqual(await of("0.07 → 0.07"), []);
});
