/** What other systems do to fit a model into memory: weights in 8 or 4 bits, layers computed twice, small moments. @module */
import { BITS } from "../../gpu/weights/quantized.ts";
import { alike, computed, each, lacking } from "./entries.ts";
import type { Entry, Made, Table } from "./table.ts";
import { isRecord, isUnresolved, shownValue, type Value } from "./written.ts";

const FORM = "in blocks with a scale each: numbers differ a little from those of bitsandbytes";

/** `weights` of load_model, which takes it only beneath an adapter. */
function weights(bits: unknown): Made {
  const kind = Object.entries(BITS).find(([, own]) => own !== null && own === bits)?.[0];
  return kind === undefined
    ? { lacks: `${shownValue(bits)} bits are not here: weights are float32, or int8 or int4 beneath an adapter` }
    : { set: { "load_model.weights": kind }, note: FORM };
}

const NONE: Made = { equal: "weights are float32" };

/** The configuration of a quantization in a script or a file. */
function quantized(value: Value): Made {
  if (value === null) return NONE;
  if (!isRecord(value)) {
    return { lacks: "only known when the program runs; weights are float32: set weights of load_model" };
  }
  if (value["load_in_4bit"] === true) return weights(4);
  if (value["load_in_8bit"] === true) return weights(8);
  const own = value["()"], isBits = own === undefined || /BitsAndBytesConfig$/.test(String(own));
  return isBits && !isUnresolved(value["bits"]) && value["bits"] === undefined
    ? NONE
    : { lacks: "of quantizations only int8 and int4 in blocks are here: set weights of load_model" };
}

const flag = (bits: number): Entry => computed(undefined, (value) => value === true ? weights(bits) : NONE);

/** Weights in 8 or 4 bits under all names that they have. */
export const QUANTIZED: Table = {
  ...each(
    "load_in_4bit model.load_in_4bit model_init_kwargs.load_in_4bit ds.load_in_4bit quantization_config.load_in_4bit",
    flag(4),
  ),
  ...each(
    "load_in_8bit model.load_in_8bit model_init_kwargs.load_in_8bit quantization_config.load_in_8bit",
    flag(8),
  ),
  ...each(
    "quantization_config model.quantization_config model_init_kwargs.quantization_config",
    computed(undefined, quantized, { asText: true }),
  ),
  ...each("quantization_bit quant_bits", computed(undefined, (value) => value === null ? NONE : weights(value))),
  ...each(
    "bnb_4bit_quant_type bnb_4bit_use_double_quant use_bnb_nested_quant bnb_4bit_quant_storage double_quantization",
    lacking(`int4 has one form here, ${FORM}`, { at: [false, null], text: "one form" }),
  ),
  ...each(
    "quant_method quantization_method quantization_type hqq_axis",
    lacking("of quantizations only int8 and int4 in blocks are here", {
      at: [null, "bnb", "bitsandbytes", "bnb_4bit", "nf4"],
      text: "weights of load_model",
    }),
  ),
  ...each(
    "model.fast_inference model.max_lora_rank model.gpu_memory_utilization",
    alike("the sampler is the policy's own graph"),
  ),
};

/** Layers that are computed a second time for their gradient, in the step that trains. */
export const recomputes = (step: string): Entry =>
  computed(
    undefined,
    (value) =>
      value === true || value === "unsloth"
        ? { set: { [`${step}.recompute`]: true } }
        : { equal: "layers are computed once" },
  );

const SMALL = ["adamw_8bit", "adamw_bnb_8bit", "paged_adamw_8bit", "adamw_torch_8bit"];
const SMALLER = ["adamw_torch_4bit"];

/** Optimizers whose moments are stored in fewer bits, by name. */
export const smallMoments = (step: string): Readonly<Record<string, Made>> => ({
  ...Object.fromEntries(
    SMALL.map((name) => [name, {
      set: { [`${step}.optimizer_state`]: "int8" },
      note: "AdamW with its moments in 8 bits, in blocks of 256",
    }]),
  ),
  ...Object.fromEntries(
    SMALLER.map((name) => [name, { lacks: "AdamW with its moments in float32; optimizer_state takes int8 too" }]),
  ),
});
