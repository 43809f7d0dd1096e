/** Makes a model folder with random weights and a large tokenizer: the size of a published model, with none of its content. @module */
import { join } from "node:path";
import { writeAll, writeFolderAtomic } from "../../../data/hub/atomic_write.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import type { Parameter } from "../../../gpu/weights/layout.ts";
import { bfloat16Normals, type Words, words } from "./random_values.ts";
import { randomTokenizer } from "./random_tokenizer.ts";

/** What the folder holds: the object of its config.json, and how many tokens the tokenizer has. */
export interface FolderShape {
  readonly config: Readonly<Record<string, unknown>>;
  /** Base tokens: 256 bytes and merges. */
  readonly baseTokens: number;
  readonly specialTokens: number;
}

/** The config.json of Qwen2.5-0.5B-Instruct, of which each size is the published one. */
export const QWEN2_HALF_BILLION: FolderShape = {
  config: {
    architectures: ["Qwen2ForCausalLM"],
    attention_dropout: 0.0,
    bos_token_id: 151_643,
    eos_token_id: 151_645,
    hidden_act: "silu",
    hidden_size: 896,
    initializer_range: 0.02,
    intermediate_size: 4864,
    max_position_embeddings: 32_768,
    max_window_layers: 21,
    model_type: "qwen2",
    num_attention_heads: 14,
    num_hidden_layers: 24,
    num_key_value_heads: 2,
    rms_norm_eps: 1e-6,
    rope_theta: 1_000_000.0,
    sliding_window: 32_768,
    tie_word_embeddings: true,
    torch_dtype: "bfloat16",
    use_cache: true,
    use_sliding_window: false,
    vocab_size: 151_936,
  },
  baseTokens: 151_643,
  specialTokens: 22,
};

/** The folder at `path`, made when it is not there. */
export function cachedFolder(path: string, shape: FolderShape, say: (line: string) => void = () => {}): string {
  const there = (() => {
    try {
      return Deno.readTextFileSync(join(path, "config.json")) === json(shape.config);
    } catch {
      return false;
    }
  })();
  if (there) return path;
  say(`making ${path}, once`);
  const began = performance.now();
  writeFolderAtomic(path, (folder) => fillFolder(folder, shape));
  say(`made in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return path;
}

/** Writes every file of a model folder: the same bytes each time. */
export function fillFolder(folder: string, { config, baseTokens, specialTokens }: FolderShape): void {
  const { parameters, initializerRange } = parameterLayout(modelConfig(config));
  writeTensors(join(folder, "model.safetensors"), parameters, initializerRange);
  const files = randomTokenizer(baseTokens, specialTokens, Number(config["max_position_embeddings"]));
  for (const [name, text] of files) Deno.writeTextFileSync(join(folder, name), text);
  const { bos_token_id, eos_token_id } = config;
  const generation = { bos_token_id, eos_token_id: [eos_token_id, bos_token_id], pad_token_id: bos_token_id };
  Deno.writeTextFileSync(join(folder, "generation_config.json"), json(generation));
  Deno.writeTextFileSync(join(folder, "config.json"), json(config));
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** Matrices normal, norms 1, biases normal: transformers' own are 0, of which nothing could be seen to be lost. */
function writeTensors(path: string, parameters: readonly Parameter[], range: number): void {
  let offset = 0;
  const header: Record<string, unknown> = { __metadata__: { format: "pt" } };
  for (const { name, shape, size } of parameters) {
    header[name] = { dtype: "BF16", shape, data_offsets: [offset, offset += 2 * size] };
  }
  const text = JSON.stringify(header), bytes = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 8) * 8));
  using file = Deno.openSync(path, { write: true, createNew: true });
  writeAll(file, new Uint8Array(BigUint64Array.of(BigInt(bytes.length)).buffer));
  writeAll(file, bytes);
  const draw = words(5), normals = bfloat16Normals(range);
  for (const parameter of parameters) writeTensor(file, parameter, normals, draw);
}

const PIECE = 1 << 22;
/** 1 as bfloat16. */
const ONE = 0x3f80;

function writeTensor(file: Deno.FsFile, { name, size }: Parameter, normals: Uint16Array, draw: Words): void {
  const piece = new Uint16Array(Math.min(size, PIECE)), norm = name.endsWith("norm.weight");
  for (let done = 0; done < size; done += piece.length) {
    const part = piece.subarray(0, Math.min(piece.length, size - done));
    if (norm) part.fill(ONE);
    else draw(part, normals);
    writeAll(file, new Uint8Array(part.buffer, 0, part.byteLength));
  }
}
