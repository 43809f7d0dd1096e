import assert from "node:assert/strict";
import { join } from "node:path";
import { tableOf } from "../../../data/tables/mod.ts";
import { cardOf } from "../../../steps/resources/card.ts";
import { withTinyPolicy } from "../contexts/training_run.ts";

const MANIFEST = { name: "sums", versions: { nonzero: "0.1.0" } };
const WORKFLOW = `steps:
  - { uses: load_model, with: { model: hf:org/tiny } }
  - { uses: load_prompts, with: { file: hf:datasets/org/sums/train.parquet } }
`;

Deno.test("cardOf() has the run's workflow, settings, evaluations and findings up to its train step", () =>
  withTinyPolicy(async (run) => {
    await run.run("fine_tune", { max_updates: 2, batch_size: 4, learning_rate: 3e-4 });
    const write = (name: string, text: string) => Deno.writeTextFileSync(join(run.folders.run, name), text);
    write("run.json", JSON.stringify(MANIFEST));
    write("workflow.yaml", WORKFLOW);
    const base = join(run.folder, "models--org--tiny", "snapshots", "b".repeat(40));
    Deno.mkdirSync(base, { recursive: true });
    Deno.writeTextFileSync(join(base, "README.md"), "---\nlicense: mit\n---\n");
    const rows = [[0, true], [0, false], [2, true], [3, false]] as const;
    const evaluations = tableOf("evaluations", {
      train_step: rows.map(([step]) => step),
      step_id: rows.map(() => "before"),
      mode: rows.map(() => "greedy"),
      correct: rows.map(([, correct]) => correct),
    });
    const findings = tableOf("findings", {
      train_step: [2, 3],
      cause: ["entropy_collapse", "reward_hacking"],
      severity: ["warning", "fatal"],
    });
    const context = run.context("test"), tables = { evaluations, findings };
    const history: typeof context.history = (name, window) =>
      tables[name as keyof typeof tables] ?? context.history(name, window);
    const card = cardOf({ ...context, trainStep: context.trainStep, history }, "reward_model", base, true);
    const has = (text: string) => assert(card.includes(text), `${text}\n${card}`);
    assert.equal(context.trainStep, 2);
    has('---\nbase_model: "org/tiny"\nlicense: "mit"\nlibrary_name: peft\ndatasets:\n- "org/sums"\n');
    has("A LoRA adapter (reward model), trained by the workflow `sums` with Nonzero from org/tiny.");
    has("* Steps: `load_model`, `load_prompts`\n* Data: `org/sums`\n* Train steps: 2; seed 7; run this_run\n");
    has("* Versions: nonzero 0.1.0\n");
    has("| sft_learning_rate | 0.0003 |");
    assert(!/reward-model|- "sft"|reinforcement/.test(card), "a reward model that has had no training of its own");
    has("| before | 0 | greedy | 2 | 50.0 % |\n| before | 2 | greedy | 1 | 100.0 % |\n\n");
    has("* warning: `entropy_collapse`\n");
    assert(!card.includes("reward_hacking") && !card.includes(run.folder), card);
    const own = cardOf({ ...context, history }, "policy", join(run.folder, "my_model"), false);
    assert(own.includes("with Nonzero from the model in the folder `my_model`.") && !own.includes(run.folder), own);
    assert.match(own, /\ntags:\n- "nonzero"\n- "sft"\n---/);
    const exported = cardOf({ ...context, history }, "policy", join(run.folders.run, "base"), false);
    assert(exported.includes("from the model in the folder `this_run/base`."), exported);
  }));
