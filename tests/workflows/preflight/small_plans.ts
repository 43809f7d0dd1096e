/** Plans of a small GRPO workflow with single settings changed, and the files they may name. @module */
import { join } from "node:path";
import { editJson, modelFolder } from "../../steps/contexts/model_folders.ts";
import { STEPS } from "../../../steps/mod.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import type { Plan } from "../../../workflows/plan/plan.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";

type With = Readonly<Record<string, unknown>>;

export interface Settings {
  readonly prompts?: With;
  readonly model?: With;
  readonly tune?: With;
  /** Of load_preferences, which is there where this is. */
  readonly preferences?: With;
  /** Of train_preferences, likewise. */
  readonly prefer?: With;
  /** Of train_reward_model, likewise. */
  readonly judge?: With;
  /** Of update_critic, which has its critic and its values where it is there; null: these alone, without the step. */
  readonly critic?: With | null;
  /** A step export_model before the rollout, or at the end. */
  readonly exported?: "before" | "after";
  readonly sample?: With;
  readonly reward?: string;
  readonly advantages?: With;
  readonly update?: With;
  readonly diagnose?: With | null;
  readonly evaluate?: With;
  /** Of best_of_n, which is there where this is. */
  readonly best?: With;
  readonly repair?: string;
  /** False: the rollout stands in no block. */
  readonly repeat?: false;
}

/** The workflow's text. */
export function planText(given: Settings): string {
  const step = (uses: string, params: With) =>
    `{ uses: ${uses}, with: { ${
      Object.entries(params).map(([key, value]) =>
        `${key}: ${typeof value === "string" && !value.includes("{") ? value : JSON.stringify(value)}`
      ).join(", ")
    } } }`;
  const prompts = given.prompts && "file" in given.prompts
    ? given.prompts
    : { task: "addition", digits: 1, ...given.prompts };
  const [head, pad] = given.repeat === false ? ["", "  "] : ["  - repeat: 10\n    steps:\n", "      "];
  return `name: small
repair: ${given.repair ?? "suggest"}
steps:
  - ${step("load_prompts", prompts)}
${given.preferences ? `  - ${step("load_preferences", given.preferences)}\n` : ""}  - ${
    step("load_model", { model: "tiny_qwen2", ...given.model })
  }
${
    given.prefer
      ? `  - ${step("train_preferences", { max_updates: 3, learning_rate: 0.0003, ...given.prefer })}\n`
      : ""
  }${given.judge ? `  - ${step("train_reward_model", { max_updates: 3, ...given.judge })}\n` : ""}${
    given.critic !== undefined ? "  - { uses: load_critic }\n" : ""
  }${given.exported === "before" ? "  - { uses: export_model }\n" : ""}${
    given.tune ? `  - ${step("fine_tune", given.tune)}\n` : ""
  }${head}${pad}- ${step("sample_groups", { prompts_per_step: 16, group_size: 8, max_new_tokens: 4, ...given.sample })}
${pad}- { uses: score_rewards, with: { rewards: [{ uses: ${given.reward ?? "verifier"} }] } }
${given.best ? `${pad}- ${step("best_of_n", given.best)}\n` : ""}${
    given.critic !== undefined ? `${pad}- { uses: compute_values }\n` : ""
  }${pad}- ${step("compute_advantages", { estimator: "grpo", ...given.advantages })}
${given.critic ? `${pad}- ${step("update_critic", given.critic)}\n` : ""}${pad}- ${
    step("apply_update", { learning_rate: 0.0003, ...given.update })
  }
${given.diagnose === null ? "" : `${pad}- ${step("diagnose", given.diagnose ?? {})}\n`}${
    given.evaluate ? `  - ${step("evaluate", given.evaluate)}\n` : ""
  }${given.exported === "after" ? "  - { uses: export_model }\n" : ""}`;
}

/** Its plan; paths are relative to `folder`. */
export function smallPlan(given: Settings, folder: string): Plan {
  return planWorkflow(parseWorkflow(planText(given), "small.yaml", { folder, kinds: STEPS }), STEPS);
}

/** Reward files, right and wrong. */
const REWARD_FILES: Readonly<Record<string, string>> = {
  "reward.ts": "export const score = ({ texts }: { texts: string[] }) => texts.map(() => 1);\n",
  "broken.ts": "export const score = (batch) => {\n  return batch.texts.map((t) => ;\n};\n",
  "nothing.ts": "export const rewards = 1;\n",
  "fields.ts": "export const score = ({ completions }: any) =>\n  completions.map(() => 1);\n",
  "fetches.ts": "export const score = async () => { await fetch('http://127.0.0.1:1999/'); return []; };\n",
  "one.ts": "export const score = () => [1];\n",
  "package.ts":
    'import { z } from "npm:zod@4.6.7";\nexport const score = ({ texts }: any) => texts.map(() => z ? 1 : 0);\n',
  "nan.ts": "export const score = ({ texts }: any) => texts.map(() => 0 / 0);\n",
};

/** Chat templates of the model folders of their names. */
const TEMPLATES: Readonly<Record<string, string>> = {
  throwing: "{{ messages[0].content }}\n{{ raise_exception('never') }}",
  dropping: "{% for m in messages if m.role != 'system' %}{{ m.content }}{% endfor %}",
  looping:
    "{% if messages | length > 4 %}{% set ns = namespace(x='ab') %}{% for i in range(99) %}{% set ns.x = ns.x ~ ns.x %}" +
    "{% endfor %}{% endif %}{% for m in messages %}{{ m.content }}{% endfor %}",
};

/** Folders of a model that reads images, by what is changed of how it cuts them; null: the file is not there. */
const VISUAL: Readonly<Record<string, Readonly<Record<string, unknown>> | null>> = {
  uncut: null,
  otherwise_cut: { patch_size: 16 },
  unresized: { do_resize: false },
};

const MODELS = new URL("../../models/", import.meta.url);

/**
 * A temporary folder with `sums.jsonl`, `pairs.jsonl`, `equal.jsonl` and `one_class.jsonl`, `messages.jsonl`, `chats.jsonl`, `system.jsonl`, `turns.jsonl`, `pictures.jsonl`, `photos.jsonl`, `thousandths.jsonl`, `boxes.jsonl`, the reward files, and the model folders `cold` (near-greedy generation_config.json),
 * `small_vocabulary`, `large_vocabulary`, `empty` (no weights), those of VISUAL, and those with a chat template: `throwing`, `dropping`, `looping`.
 */
export async function withFiles(body: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = Deno.makeTempDirSync({ prefix: "nonzero_preflight_" });
  try {
    const rows = Array.from({ length: 60 }, (_, i) => JSON.stringify({ prompt: `${i}+1=`, sum: `${i + 1}` }));
    Deno.writeTextFileSync(join(folder, "sums.jsonl"), rows.join("\n"));
    const asked = rows.map((row) => row.replace(/"prompt":("[^"]*")/, '"prompt":[{"role":"user","content":$1}]'));
    Deno.writeTextFileSync(join(folder, "messages.jsonl"), asked.join("\n"));
    const told = asked.map((row) => row.replace("[{", '[{"role":"system","content":"Add."},{'));
    Deno.writeTextFileSync(join(folder, "system.jsonl"), told.join("\n"));
    const chat = (i: number) => [{ role: "user", content: `${i}+1=` }, { role: "assistant", content: `${i + 1}` }];
    const chats = rows.map((_, i) => JSON.stringify({ messages: chat(i) }));
    Deno.writeTextFileSync(join(folder, "chats.jsonl"), chats.join("\n"));
    const turn = '{"role":"user","content":"a"},{"role":"assistant","content":"b"},';
    Deno.writeTextFileSync(join(folder, "turns.jsonl"), asked.join("\n").replace("[{", `[${turn.repeat(2)}{`));
    const pixel = Deno.readFileSync(new URL("../../goldens/images/one_pixel.png", import.meta.url)).toBase64();
    const pictures = rows.map((_, i) =>
      JSON.stringify({ image: `data:image/png;base64,${pixel}`, prompt: `Which ${i}?`, answer: `${i}` })
    );
    Deno.writeTextFileSync(join(folder, "pictures.jsonl"), pictures.join("\n"));
    const photos = pictures.map((row) => row.replace('"image":', '"split":"train","photo":'));
    Deno.writeTextFileSync(join(folder, "photos.jsonl"), photos.join("\n"));
    const boxes = rows.map((_, i) => JSON.stringify({ prompt: `Where ${i}?`, answer: `[1, 2, 3, ${i + 4}]` }));
    const thousandths = pictures.map((line, i) =>
      line.replace(/"answer":"\d+"/, `"answer":"[0, 0, ${1000 - i}, 1000]"`)
    );
    Deno.writeTextFileSync(join(folder, "thousandths.jsonl"), thousandths.join("\n"));
    Deno.writeTextFileSync(join(folder, "boxes.jsonl"), boxes.join("\n"));
    const pairs = rows.map((_, i) => JSON.stringify({ prompt: `${i}+1=`, chosen: `${i + 1}`, rejected: "no" }));
    Deno.writeTextFileSync(join(folder, "pairs.jsonl"), pairs.join("\n"));
    const equal = pairs.map((line, i) => i === 3 || i === 7 ? line.replace(/"no"/, `"${i + 1}"`) : line);
    Deno.writeTextFileSync(join(folder, "equal.jsonl"), `\n${equal.join("\n")}`);
    const good = rows.map((_, i) => JSON.stringify({ prompt: `${i}+1=`, completion: `${i + 1}`, label: true }));
    Deno.writeTextFileSync(join(folder, "one_class.jsonl"), good.join("\n"));
    for (const [name, text] of Object.entries(REWARD_FILES)) Deno.writeTextFileSync(join(folder, name), text);
    const config = JSON.parse(Deno.readTextFileSync(new URL("qwen2/config.json", MODELS)));
    const generation = JSON.parse(Deno.readTextFileSync(new URL("qwen2/generation_config.json", MODELS)));
    for (const name of ["cold", "small_vocabulary", "large_vocabulary", "empty", ...Object.keys(TEMPLATES)]) {
      const into = join(folder, name);
      Deno.mkdirSync(into);
      const rows = name === "small_vocabulary"
        ? { vocab_size: 100 }
        : name === "large_vocabulary"
        ? { vocab_size: 1024 }
        : {};
      Deno.writeTextFileSync(join(into, "config.json"), JSON.stringify({ ...config, ...rows }));
      const cold = {
        ...generation,
        temperature: 0.01,
        top_k: 1,
        top_p: 0.001,
        pad_token_id: generation.eos_token_id[0],
      };
      Deno.writeTextFileSync(join(into, "generation_config.json"), JSON.stringify(cold));
      for (const entry of Deno.readDirSync(new URL("tokenizer/", MODELS))) {
        Deno.copyFileSync(new URL(`tokenizer/${entry.name}`, MODELS), join(into, entry.name));
      }
      if (Object.hasOwn(TEMPLATES, name)) {
        Deno.writeTextFileSync(join(into, "chat_template.jinja"), TEMPLATES[name]!);
      }
      if (name !== "empty") {
        Deno.copyFileSync(new URL("qwen2/model.safetensors", MODELS), join(into, "model.safetensors"));
      }
    }
    for (const [name, change] of Object.entries(VISUAL)) {
      const processor = join(
        modelFolder(folder, "qwen2_vl", { tokenizer: false, as: name }),
        "preprocessor_config.json",
      );
      if (change === null) Deno.removeSync(processor);
      else editJson(processor, (json) => Object.assign(json, change));
    }
    await body(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
