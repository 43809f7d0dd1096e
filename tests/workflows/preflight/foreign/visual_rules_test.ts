/** Launch scripts of Visual-RFT, VLM-R1 and R1-V: each fault and its silent twin. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { checkConfiguration } from "../../../../workflows/preflight/configuration.ts";
import { VISUAL, VISUAL_CHECKS } from "../../../../workflows/preflight/foreign/visual_rules.ts";

/** What is said of a script; `model` is the generation_config.json of the folder ./model beside it, or makes that path. */
async function said(script: string, model: object | ((path: string) => void) | null = null): Promise<string[]> {
  const folder = Deno.makeTempDirSync({ prefix: "nonzero_visual_rules_" });
  try {
    Deno.writeTextFileSync(join(folder, "run.sh"), script);
    if (model !== null) {
      Deno.mkdirSync(join(folder, "model"));
      const path = join(folder, "model/generation_config.json");
      if (typeof model === "function") model(path);
      else Deno.writeTextFileSync(path, JSON.stringify(model));
    }
    const [{ problems, examined }] = await checkConfiguration([join(folder, "run.sh")]) as [
      Awaited<ReturnType<typeof checkConfiguration>>[0],
    ];
    const hints = examined.diagnosis.findings.map(({ cause, hint }) => `${cause}: ${hint}`);
    return problems.map(({ severity, cause, line, message }) =>
      `${severity} ${line} ${message} | ${hints.find((hint) => hint.startsWith(`${cause}: `))}`
    );
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** A sound script; options and lines above it are replaced or added. */
function rft(changes: Readonly<Record<string, string | null>> = {}, above = "", script = "grpo.py"): string {
  const options = {
    model_name_or_path: "./model",
    dataset_name: "./share_data/ViRFT_COCO_base65",
    max_prompt_length: "1024",
    per_device_train_batch_size: "1",
    bf16: "true",
    attn_implementation: "flash_attention_2",
    max_pixels: "401408",
    num_generations: "8",
    ...changes,
  };
  const lines = Object.entries(options).filter(([, value]) => value !== null).map(([name, value]) =>
    `  --${name} ${value}`
  );
  return `${above}torchrun --nproc_per_node=8 src/virft/src/open_r1/${script} \\\n${lines.join(" \\\n")}\n`;
}

const VLM = (each: number, group: number, more = "") =>
  `torchrun --nproc_per_node=6 src/open_r1/grpo_jsonl.py --data_file_paths a.jsonl --image_folders b \\\n` +
  `  --model_name_or_path Qwen/Qwen2.5-VL-3B-Instruct --per_device_train_batch_size ${each} --num_generations ${group} ${more}\n`;
const REC = (more: string) =>
  `torchrun --nproc_per_node=8 src/open_r1/grpo_rec.py --model_name_or_path Qwen/Qwen2.5-VL-3B-Instruct \\\n` +
  `  --dataset_name data_config/rec.yaml --image_root ./coco ${more}\n`;
const R1V = (more: string) =>
  `torchrun --nproc_per_node=8 src/r1-v/src/open_r1/grpo.py --model_name_or_path Qwen/Qwen2-VL-2B-Instruct \\\n` +
  `  --dataset_name leonardPKU/clevr_cogen_a_train --per_device_train_batch_size 1 ${more}\n`;

interface Case {
  readonly what: string;
  readonly fires: string;
  readonly says: RegExp;
  readonly silent: string;
}

const CASES: readonly Case[] = [
  {
    what: "a model of absolute pixels on data of 0 to 1000 (Visual-RFT #143, #232)",
    fires: rft({ model_name_or_path: "Qwen/Qwen2.5-VL-3B-Instruct" }),
    says: /^error \d+ Qwen2\.5-VL writes absolute pixels, the data are normalised to 0\.\.1000/,
    silent: rft({ model_name_or_path: "Qwen/Qwen2-VL-2B-Instruct" }),
  },
  {
    what: "classes scored as boxes",
    fires: rft({ dataset_name: "${DATA}" }, "export DATA=./ViRFT_CLS_flower_4_shot\n"),
    says:
      /^error \d+ grpo\.py scores boxes, and the data \("ViRFT_CLS_flower_4_shot"\) are for classification.*Start grpo_classification\.py\.$/,
    silent: rft({ dataset_name: "./ViRFT_CLS_flower_4_shot" }, "", "grpo_classification.py"),
  },
  {
    what: "boxes scored as classes",
    fires: rft({}, "", "grpo_classification.py"),
    says: /^error \d+ grpo_classification\.py scores class names.*for detection.*Start grpo\.py\.$/,
    silent: rft(),
  },
  {
    what: "a script that does not exist (2B_lisa_grounding.sh)",
    fires: rft({ dataset_name: "NOT_USED" }, "", "grpo_gui_grounding_lisa.py"),
    says: /^error \d+ Visual-RFT has no grpo_gui_grounding_lisa\.py.*Start grpo_lisa\.py\.$/,
    silent: rft({ dataset_name: "NOT_USED" }, "", "grpo_lisa.py"),
  },
  {
    what: "rewards that nothing reads",
    fires: rft({ reward_funcs: "accuracy format" }),
    says: /^warning 10 reward_funcs is read by none of Visual-RFT's scripts/,
    silent: R1V("--max_prompt_length 1024 --max_pixels 401408 --reward_funcs accuracy format"),
  },
  {
    what: "images that the prompt's length cuts",
    fires: rft({ max_pixels: "1003520" }),
    says:
      /^error \d+ an image of 1003520 pixels \(max_pixels\) is 1280 tokens, with a question about 1380, and max_prompt_length is 1024: .*Set --max_prompt_length to 1380, or --max_pixels to 724416\.$/,
    silent: rft({ max_pixels: "724416" }),
  },
  {
    what: "images of any size, by default",
    fires: rft({ max_pixels: null }),
    says: /12845056 pixels \(max_pixels, by default\) is 16384 tokens/,
    silent: VLM(4, 8),
  },
  {
    what: "images that vLLM's longest sequence does not hold",
    fires: R1V("--use_vllm true --max_pixels 401408 --max_prompt_length 1024 --max_completion_length 512"),
    says: /max_completion_length is 512: vLLM is opened with that as its longest sequence/,
    silent: R1V("--use_vllm true --max_pixels 401408 --max_prompt_length 1024 --max_completion_length 1024"),
  },
  {
    what: "more than one prompt on a device",
    fires: rft({ per_device_train_batch_size: "$BATCH" }, "BATCH=2\n"),
    says:
      /per_device_train_batch_size is 2: with more than one prompt .* images of other prompts.*Set --per_device_train_batch_size 1/,
    silent: VLM(8, 8),
  },
  {
    what: "flash attention in float32, which transformers loads where nothing is said",
    fires: rft({ bf16: null }),
    says:
      /^error 6 attn_implementation is flash_attention_2, neither --bf16 nor --fp16 is on, and this trainer tells from_pretrained\(\) no dtype, so that transformers 4 loads float32: .*Set --bf16, or --attn_implementation sdpa\.$/,
    silent: rft({ bf16: null, attn_implementation: "sdpa" }),
  },
  {
    what: "flash attention where half precision is asked for in vain",
    fires: rft({ bf16: "false", torch_dtype: "bfloat16" }),
    says: /no dtype \(it never reads --torch_dtype\), so that transformers 4 loads float32/,
    silent: rft({ torch_dtype: "float32" }), // not read, and --bf16 casts
  },
  {
    what: "flash attention in float32 of R1-V",
    fires: R1V("--max_prompt_length 1024 --max_pixels 401408 --attn_implementation flash_attention_2"),
    says: /^error \d+ attn_implementation is flash_attention_2, neither/,
    silent: R1V(
      "--max_prompt_length 1024 --max_pixels 401408 --attn_implementation flash_attention_2 --config more.yaml",
    ),
  },
  {
    what: "flash attention in float32 of VLM-R1, which loads bfloat16 where nothing is said",
    fires: VLM(4, 8, "--attn_implementation flash_attention_2 --torch_dtype float32"),
    says:
      /neither --bf16 nor --fp16 is on, and torch_dtype is float32: flash attention computes in half precision alone/,
    silent: VLM(4, 8, "--attn_implementation flash_attention_2"),
  },
  {
    what: "flash attention on prompts that are padded on the right",
    fires: rft({ padding_side: "right" }),
    says: /padded on the right.*Set padding_side to left\.$/,
    silent: rft({ padding_side: "left" }),
  },
  {
    what: "debug output without a place",
    fires: rft({}, 'export DEBUG_MODE="true"\n'),
    says: /^error 1 DEBUG_MODE is true and LOG_PATH is not set.*export LOG_PATH/,
    silent: rft({}, 'export DEBUG_MODE="true"\nexport LOG_PATH="./debug.txt"\n'),
  },
  {
    what: "debug output without a place, where another has the date in its name",
    fires: rft({}, 'export DEBUG_MODE="true"\nexport OTHER="${HOME}/debug.$(date +%Y-%m-%d).txt"\n'),
    says: /^error 1 DEBUG_MODE is true and LOG_PATH is not set/,
    silent: rft({}, 'export DEBUG_MODE="true"\nexport LOG_PATH="${HOME}/debug.$(date +%Y-%m-%d).txt"\n'),
  },
  {
    what: "a model of absolute pixels on boxes, and not on classes",
    fires: rft({ model_name_or_path: "Qwen/Qwen2.5-VL-7B-Instruct" }),
    says: /^error \d+ Qwen2\.5-VL writes absolute pixels/,
    silent: rft(
      { model_name_or_path: "Qwen/Qwen2.5-VL-7B-Instruct", dataset_name: "./ViRFT_CLS_flower_4_shot" },
      "",
      "grpo_classification.py",
    ),
  },
  {
    what: "groups that the processes do not make whole",
    fires: VLM(2, 8),
    says:
      /^error \d+ 6 processes × 2 of a device are 12 completions, no whole number of groups of 8.*Set --num_generations 6\.$/,
    silent: VLM(4, 8),
  },
  {
    what: "such groups of grpo_rec.py, which no folder's name tells, and its image sizes",
    fires: REC("--per_device_train_batch_size 2 --num_generations 3 --max_pixels 200704"),
    says: /^error \d+ 8 processes × 2 of a device are 16 completions, no whole number of groups of 3: VLM-R1 refuses/,
    silent: REC("--per_device_train_batch_size 8 --num_generations 8 --max_pixels 200704"),
  },
  {
    what: "float16",
    fires: rft({ bf16: null, fp16: "true" }),
    says: /^warning \d+ fp16 true: Qwen2-VL's activations overflow float16/,
    silent: rft({ fp16: "false", torch_dtype: "float16" }), // torch_dtype is not read
  },
];

for (const { what, fires, says, silent } of CASES) {
  Deno.test(`checkConfiguration() names ${what}, once, and is silent on its twin`, async () => {
    assert.equal((await said(fires)).filter((line) => says.test(line)).length, 1, (await said(fires)).join("\n"));
    assert.deepEqual(await said(silent), []);
  });
}

Deno.test("checkConfiguration() reads the sampling settings of a model's folder that lies beside the script", async () => {
  const qwen = { do_sample: true, temperature: 0.01, top_p: 0.001, top_k: 1 };
  const [first, ...others] = await said(rft(), qwen);
  assert.match(
    first!,
    /^error 2 the model's folder has temperature 0\.01, top_k 1, top_p 0\.001 in generation_config\.json.*loss stays 0 \| greedy_sampling: Write temperature 1\.0/,
  );
  assert.deepEqual(others, []);
  assert.equal((await said(rft({ model_name_or_path: "$CKPT" }, "CKPT=./model\n"), qwen)).length, 1, "by a variable");
  assert.deepEqual(await said(rft(), { ...qwen, temperature: 1, top_p: 1, top_k: 50 }), []);
  assert.deepEqual(
    await said(rft({ use_vllm: "true", max_completion_length: "1024" }), qwen),
    [],
    "vLLM reads none of it",
  );
  assert.deepEqual(await said(rft()), [], "a folder that is not here");
});

Deno.test(
  "checkConfiguration() reads no sampling settings out of a pipe or a folder, and goes on",
  { ignore: Deno.build.os === "windows" },
  async () => {
    // Reading a pipe that nobody writes into never ends.
    for (const make of ["mkfifo", "mkdir"] as const) {
      const place = (path: string) => new Deno.Command(make, { args: [path] }).outputSync();
      assert.deepEqual(await said(rft(), place), [], make);
    }
  },
);

Deno.test("checkConfiguration() does not say that it cannot tell what a folder does that it has read", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "nonzero_visual_rules_" });
  const told = async (script: string, model: Readonly<Record<string, string>>) => {
    Deno.writeTextFileSync(join(folder, "run.sh"), script);
    Deno.mkdirSync(join(folder, "model"), { recursive: true });
    for (const [name, text] of Object.entries(model)) Deno.writeTextFileSync(join(folder, "model", name), text);
    const [{ cannotTell }] = await checkConfiguration([join(folder, "run.sh")]) as [
      Awaited<ReturnType<typeof checkConfiguration>>[0],
    ];
    Deno.removeSync(join(folder, "model"), { recursive: true });
    return cannotTell.filter((line) => line.includes("generation_config"));
  };
  const what = "whether the model folder's generation_config.json overrides sampling: cannot tell without";
  const trl = "python grpo.py --model_name_or_path ./model --num_generations 8 --learning_rate 1e-6\n";
  try {
    assert.deepEqual(await told(rft(), {}), [`${what} the folder`]);
    assert.deepEqual(await told(rft(), { "generation_config.json": '{"temperature": 0.01}' }), []);
    assert.deepEqual(await told(rft(), { "generation_config.json": '{"temperature": 1.0}' }), []);
    assert.deepEqual(await told(rft(), { "config.json": "{}" }), []);
    assert.deepEqual(await told(trl, { "generation_config.json": "{}" }), [`${what} the trainer's version`]);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("checkConfiguration() says that a kernel of attention cannot be judged, of visual scripts with one", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "nonzero_visual_rules_" });
  try {
    const told = async (script: string) => {
      Deno.writeTextFileSync(join(folder, "run.sh"), script);
      return (await checkConfiguration([join(folder, "run.sh")]))[0]!.cannotTell.join("\n");
    };
    assert.match(await told(rft()), /whether the flash-attn kernel computes rightly.*sdpa or eager/);
    assert.doesNotMatch(await told(rft({ attn_implementation: "sdpa" })), /kernel/);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("VISUAL_CHECKS are silent on what is no visual system's", () => {
  assert(!VISUAL.has("trl") && !VISUAL.has(null) && VISUAL.has("vlm-r1"));
  const run = { system: "trl", settings: [] } as never;
  for (const rule of Object.values(VISUAL_CHECKS)) assert.deepEqual(rule(run), []);
});
