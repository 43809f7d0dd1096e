import assert from "node:assert/strict";
import { baseOf, CARD_MARK, type CardFacts, licensesOf, modelCard } from "../../../data/hub/model_card.ts";

const FACTS: CardFacts = {
  base: "org/tiny",
  ancestor: null,
  folder: "0123abcd",
  licenses: ["mit"],
  isAdapter: true,
  what: "policy",
  workflow: "first",
  run: "r1",
  seed: 7,
  trainStep: 20,
  phases: ["sft", "rollout"],
  steps: ["load_model", "apply_update"],
  rewards: ["verifier", "my_reward.ts × 0.5"],
  data: ["org/sums", "rows.jsonl", "hf_abcdefghij"],
  settings: new Map<string, unknown>([["learning_rate", 1e-4], ["loss", "clipped"], ["reference", "/home/me/model"], [
    "note",
    "hf_abcdefghij",
  ]]),
  versions: { nonzero: "0.1.0" },
  datasets: ["org/sums"],
  evaluations: [{ step: "before", trainStep: 0, mode: "greedy", prompts: 8, correct: 2 }, {
    step: "after",
    trainStep: 20,
    mode: "greedy",
    prompts: 8,
    correct: 6,
  }],
  findings: [{ cause: "entropy_collapse", severity: "warning" }, { cause: "entropy_collapse", severity: "warning" }],
};

Deno.test("modelCard() says from what, how, and with what result; nothing of this machine", () => {
  const card = modelCard(FACTS);
  assert(
    card.startsWith(
      '---\nbase_model: "org/tiny"\nlicense: "mit"\nlibrary_name: peft\ndatasets:\n- "org/sums"\ntags:\n- "nonzero"',
    ),
    card,
  );
  for (
    const text of [
      CARD_MARK,
      "A LoRA adapter (policy), trained by the workflow `first` with Nonzero from org/tiny.",
      "* Steps: `load_model`, `apply_update`\n* Data: `org/sums`, `rows.jsonl`\n* Rewards: `verifier`, `my_reward.ts × 0.5`\n",
      "* Train steps: 20; seed 7; run r1",
      "| learning_rate | 0.0001 |",
      "| before | 0 | greedy | 8 | 25.0 % |\n| after | 20 | greedy | 8 | 75.0 % |",
    ]
  ) assert(card.includes(text), text);
  assert.equal(card.match(/entropy_collapse/g)!.length, 1);
  assert.equal(/home|hf_abc/.test(card), false);
  const bare = modelCard({
    ...FACTS,
    base: null,
    folder: "tiny",
    licenses: [],
    isAdapter: false,
    evaluations: [],
    findings: [],
    datasets: [],
  });
  assert.match(bare, /^---\nlibrary_name: transformers\ntags:/);
  assert.match(
    bare,
    /A model \(policy\), trained by the workflow `first` with Nonzero from the model in the folder `tiny`\./,
  );
  assert.match(
    modelCard({ ...FACTS, base: null, folder: null, data: [] }),
    /with Nonzero\.[^]*`apply_update`\n\* Rewards/,
  );
  assert.match(bare, /Not evaluated\.[^]*No diagnosis fired up to this export\./);
});

Deno.test("licensesOf() reads the front matter alone", () => {
  assert.deepEqual(licensesOf("---\nlicense: apache-2.0\n---\n"), ["apache-2.0"]);
  assert.deepEqual(licensesOf("---\r\nlicense:\r\n- mit\r\n- 'apache-2.0'\r\n---\r\n"), ["mit", "apache-2.0"]);
  assert.deepEqual(licensesOf("---\nlicense: [mit, 3, 'a\\nb']\n---\n"), ["mit"]);
  assert.deepEqual(licensesOf("---\ntags: x\n---\nlicense: mit"), []);
  for (const card of ["---\n{\n---\n", "---\n\n---\n", "", null]) assert.deepEqual(licensesOf(card), []);
});

Deno.test("modelCard() lists licences where the base has several", () =>
  assert.match(
    modelCard({ ...FACTS, licenses: ["mit", "apache-2.0"] }),
    /\nlicense:\n- "mit"\n- "apache-2\.0"\nlibrary/,
  ));

Deno.test("modelCard() is tagged by the training that there was", () => {
  const tags = (phases: string[], isAdapter = false) =>
    Array.from(
      /\ntags:\n((?:- .*\n)+)/.exec(modelCard({ ...FACTS, phases, isAdapter }))![1]!.matchAll(/"(.*)"/g),
      ([, tag]) => tag,
    );
  assert.deepEqual(tags(["sft"]), ["nonzero", "sft"]);
  assert.deepEqual(tags(["sft", "rollout"], true), ["nonzero", "sft", "reinforcement-learning", "lora"]);
  assert.deepEqual(tags(["preference"]), ["nonzero", "preference-optimization"]);
  assert.deepEqual(tags([]), ["nonzero"]);
});

Deno.test("a model that goes on from a folder of ours names the model of the Hub which that began with, an adapter does not", () => {
  const parent = modelCard({ ...FACTS, base: "org/tiny" }), ancestor = baseOf(parent);
  assert.equal(ancestor, "org/tiny");
  const card = (isAdapter: boolean) => modelCard({ ...FACTS, base: null, folder: "mine", ancestor, isAdapter });
  assert.match(card(false), /^---\nbase_model: "org\/tiny"\n/);
  assert(!card(true).includes("base_model:"));
  // In the card of another, base_model is what stands before the model itself.
  assert.equal(baseOf(parent.replace(CARD_MARK, "")), null);
  for (const text of [null, "", CARD_MARK, parent.replace("org/tiny", "/home/me/tiny")]) {
    assert.equal(baseOf(text), null);
  }
});
