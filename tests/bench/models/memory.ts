/** Memory: what is told before a run against what the run took, from 0.16 M to half a billion parameters. @module */
import { join } from "node:path";
import { STEPS } from "../../../steps/mod.ts";
import { memoryBytes as memoryBytesOf } from "../../../steps/options/memory_size.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";
import { estimate } from "../../../workflows/preflight/estimate.ts";
import { adapterShare } from "./adapter_share.ts";
import type { Figure, Part, TrialContext } from "./figure.ts";
import { measuredRun } from "./measured_run.ts";

const WITHIN = 0.15;

/** Width, layers and inner width of models that are made from nothing: 0.16, 0.8 and 9.5 M parameters. */
const SIZES = { "0.16M": [64, 3, 192], "0.8M": [128, 4, 352], "9.5M": [320, 8, 1024] } as const;

interface Case {
  readonly model: keyof typeof SIZES | "folder";
  readonly lora?: boolean;
  readonly weights?: "int8";
  readonly recompute?: boolean;
  readonly moments?: "int8";
  readonly memory?: string;
  readonly prompts: number;
  readonly tokens: number;
}

function modelOf({ model, lora, weights, memory }: Case, folder: string): string {
  const [width, layers, inner] = model === "folder" ? [0, 0, 0] : SIZES[model];
  const named = model === "folder" ? folder : {
    model_type: "qwen2",
    hidden_size: width,
    intermediate_size: inner,
    num_hidden_layers: layers,
    num_attention_heads: 4,
    num_key_value_heads: 2,
    max_position_embeddings: 512,
    tie_word_embeddings: true,
  };
  const own = lora ? { lora: { rank: 8, target_modules: "all_linear" } } : {};
  return JSON.stringify({ model: named, ...own, ...(weights ? { weights } : {}), ...(memory ? { memory } : {}) });
}

/** Two GRPO steps. */
function workflowOf(given: Case, folder: string): string {
  const { prompts, tokens, recompute = false, moments = "float32" } = given;
  const sample = { prompts_per_step: prompts, group_size: 8, max_new_tokens: tokens };
  return `name: memory
seed: 1
steps:
  - { uses: load_prompts, with: { task: addition, digits: 2 } }
  - { uses: load_model, with: ${modelOf(given, folder)} }
  - repeat: 2
    steps:
      - { uses: sample_groups, with: ${JSON.stringify(sample)} }
      - { uses: score_rewards, with: { rewards: [{ uses: verifier }] } }
      - { uses: compute_advantages }
      - { uses: apply_update, with: ${
    JSON.stringify({ learning_rate: 1e-4, recompute, optimizer_state: moments, entropy_coef: 0.01 })
  } }
`;
}

const planOf = (text: string) => planWorkflow(parseWorkflow(text, "memory.yaml", { kinds: STEPS }), STEPS);

/** The largest resident set of a run of the command line, bytes. */
async function measured(text: string, threads: number): Promise<number> {
  const parent = Deno.makeTempDirSync({ prefix: "nonzero_memory_" });
  try {
    const file = join(parent, "memory.yaml");
    Deno.writeTextFileSync(file, text);
    const run = await measuredRun(["run", file, "--runs", join(parent, "runs"), "--threads", `${threads}`]);
    if (run.code !== 0) throw new Error(`Cannot measure a run: ${run.stderr.slice(-1500)}`);
    return run.peakBytes;
  } finally {
    Deno.removeSync(parent, { recursive: true });
  }
}

function trial(given: Case) {
  return async ({ folder, threads }: TrialContext): Promise<Figure[]> => {
    const text = workflowOf(given, folder), { memoryBytes } = await estimate(planOf(text));
    const peak = await measured(text, threads);
    const { memory } = given, most = memory === undefined ? {} : { most: memoryBytesOf(memory) / 1e6 };
    return [
      { what: "estimated", value: memoryBytes / 1e6, unit: "MB" },
      { what: "measured", value: peak / 1e6, unit: "MB", ...most },
      { what: "estimated of measured", value: memoryBytes / peak, unit: "×", least: 1 - WITHIN, most: 1 + WITHIN },
    ];
  };
}

const SMALL = { prompts: 64, tokens: 16 }, LARGE = { prompts: 32, tokens: 32 }, HALF = { prompts: 2, tokens: 32 };

export const MEMORY: Part = {
  about: "Memory as it is told before a run, against the peak of the run",
  trials: {
    "0.16M_full": trial({ model: "0.16M", ...SMALL }),
    "0.8M_full": trial({ model: "0.8M", ...SMALL }),
    "0.8M_recompute": trial({ model: "0.8M", recompute: true, ...SMALL }),
    "9.5M_full": trial({ model: "9.5M", ...LARGE }),
    "9.5M_recompute": trial({ model: "9.5M", recompute: true, ...LARGE }),
    "9.5M_moments_int8": trial({ model: "9.5M", moments: "int8", ...LARGE }),
    "9.5M_lora": trial({ model: "9.5M", lora: true, ...LARGE }),
    "9.5M_lora_int8": trial({ model: "9.5M", lora: true, weights: "int8", ...LARGE }),
    "9.5M_budget": trial({ model: "9.5M", memory: "700MB", ...LARGE }),
    adapter_share: adapterShare,
    half_billion_lora: trial({ model: "folder", lora: true, recompute: true, ...HALF }),
    half_billion_lora_int8: trial({ model: "folder", lora: true, weights: "int8", recompute: true, ...HALF }),
  },
};
