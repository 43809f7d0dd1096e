/** A model folder of the peers, refused unless its logits are those that transformers computed. @module */
import { basename } from "node:path";
import { openSafetensors } from "../../data/hub/safetensors_read.ts";
import { Decoder } from "../../gpu/sampling/decoder.ts";
import { Scope } from "../../gpu/sampling/scope.ts";
import { openRuntime } from "../../gpu/session.ts";
import { policyFromFolder } from "../../steps/resources/open_policy.ts";
import { Policy } from "../../steps/resources/policy.ts";

export interface PeerModel {
  readonly policy: Policy;
  /** What rows say of it. */
  readonly head: Readonly<Record<string, unknown>>;
}

/** As for the peers: 256 is PAD, 257 ends a sequence; both are banned, so that all completions have one length. */
const SUPPRESSED = [256, 257];
/** Largest difference of a logit or log-prob; beyond it this is another model. */
const PARITY = 1e-3;

/** Loads a model folder with weights, tokenizer and golden.safetensors. Throws a RangeError where logits differ. */
export async function openPeerModel(
  folder: string,
  { threads, spinning, ends = false }: {
    readonly threads: number;
    readonly spinning: boolean;
    /** Sequences end by the tokenizer's token, else never. */
    readonly ends?: boolean;
  },
): Promise<PeerModel> {
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads, spinning });
  const { model, tokenizer, generationConfig, files } = policyFromFolder(runtime, folder, {
    chat: { always: false },
    images: folder,
  });
  const sample = model.sample.bind(model);
  model.sample = (prompts, group, options) => sample(prompts, group, { ...options, suppressIds: SUPPRESSED });
  const endless = {
    encode: (text: string) => tokenizer.encode(text),
    decode: (ids: ArrayLike<number>) => tokenizer.decode(ids),
    eosIds: ends ? tokenizer.eosIds : [],
    eosId: tokenizer.eosId,
    padId: tokenizer.padId,
    bosId: tokenizer.bosId,
    vocabSize: tokenizer.vocabSize,
  };
  const policy = new Policy(model, endless, generationConfig, files);
  await checkParity(policy, folder);
  const head = { model: basename(folder), params: model.weights.layout.count, threads, spinning, dtype: "float32" };
  return { policy, head };
}

/** Token log-probs by the training graphs, and the last logits by the decoding graphs, against the golden logits. */
async function checkParity({ model }: Policy, folder: string): Promise<void> {
  using golden = openSafetensors(`${folder}/golden.safetensors`);
  const [rows, width] = golden.tensors.get("input_ids")!.shape as [number, number];
  const ids = new BigInt64Array(golden.bytes("input_ids").buffer), logits = golden.float32("logits");
  const vocabulary = logits.length / ids.length;
  const row = (r: number) => Int32Array.from(ids.subarray(r * width, (r + 1) * width), Number);
  const tokens = Array.from({ length: rows }, (_, r) => row(r));
  const at = (r: number, t: number) => logits.subarray((r * width + t) * vocabulary, (r * width + t + 1) * vocabulary);
  let worst = 0;
  const compare = (ours: number, theirs: number) => worst = Math.max(worst, Math.abs(ours - theirs));
  const { logprobs } = await model.logprobs({
    prompts: tokens.map((row) => row.subarray(0, 1)),
    group: 1,
    completions: tokens.map((row) => row.subarray(1)),
  });
  logprobs.forEach((values, r) =>
    values.forEach((value, t) => {
      const scores = at(r, t), most = Math.max(...scores);
      const total = scores.reduce((sum, score) => sum + Math.exp(score - most), 0);
      compare(value, scores[tokens[r]![t + 1]!]! - most - Math.log(total));
    })
  );
  const scope = new Scope(model.runtime), decoder = new Decoder(model);
  const last = await decoder.prefill(tokens, width, width + 8, rows, scope);
  (last.data as Float32Array).forEach((value, i) =>
    compare(value, at(Math.floor(i / vocabulary), width - 1)[i % vocabulary]!)
  );
  scope.release();
  decoder.release();
  if (!(worst < PARITY)) {
    throw new RangeError(
      `Cannot benchmark ${folder}: its logits differ from transformers by ${worst.toPrecision(3)}, want < ${PARITY}`,
    );
  }
}

/** Prompts of 8 byte tokens, e.g. "042+917=". */
export function peerPrompts(count: number): string[] {
  const digits = (n: number) => String(n).padStart(3, "0");
  return Array.from({ length: count }, (_, i) => `${digits((i * 379 + 42) % 1000)}+${digits((i * 617 + 917) % 1000)}=`);
}

/** The share of even token ids: cheap, and it differs inside a group. */
export function evenShare(ids: ArrayLike<number>): number {
  let even = 0;
  for (let i = 0; i < ids.length; i++) even += 1 - ids[i]! % 2;
  return even / Math.max(1, ids.length);
}
