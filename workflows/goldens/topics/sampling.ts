/** Distributions that transformers' logits processors leave against the sampler's filters. @module */
import { Graph } from "../../../gpu/onnx/graph.ts";
import { filterLogits, samplerInputs, type SamplerKind } from "../../../gpu/sampling/pick.ts";
import { type Fed, floats, runOnce } from "../run_once.ts";
import type { TorchTopic } from "../topic.ts";

interface Case {
  readonly temperature?: number;
  readonly top_k?: number;
  readonly top_p?: number;
  readonly min_p?: number;
  readonly repetition_penalty?: number;
  readonly kept: readonly number[];
}
interface Document {
  readonly history_ids: readonly (readonly number[])[];
  readonly tie_rows: readonly number[];
  readonly cases: readonly Case[];
}

const TOLERANCE = { relative: 0, absolute: 1e-6 };

export const sampling: TorchTopic = {
  about: "transformers' logits processors: temperature, top-k, top-p, min-p, repetition penalty (gpu/sampling/pick.ts)",
  takes: (file) => file === "sampling",
  cases({ document, tensors }) {
    const given = document as unknown as Document, file = tensors();
    const [rows, vocabulary] = file.tensors.get("logits")!.shape as [number, number];
    const logits = file.float32("logits"), probs = file.float32("probs");
    return given.cases.map(({ kept, ...settings }, c) => ({
      name: `${c} ${JSON.stringify(settings)}`,
      async checks() {
        const got = await distribution(settings, given.history_ids, logits, vocabulary);
        return got.flatMap((row, r) => {
          const wanted = Array.from(probs.subarray((c * rows + r) * vocabulary, (c * rows + r + 1) * vocabulary));
          // Which of equal tokens top-p keeps is arbitrary.
          const sorted = given.tie_rows.includes(r);
          const order = (values: readonly number[]) => sorted ? values.toSorted((a, b) => a - b) : values;
          const more = Math.max(0, row.filter((p) => p > 0).length - kept[r]!);
          return [
            { name: `probs[${r}]`, want: order(wanted), got: order(row), tolerance: TOLERANCE },
            { name: `kept more[${r}]`, want: 0, got: more, tolerance: TOLERANCE },
          ];
        });
      },
    }));
  },
};

/** Probabilities [rows][vocabulary] after the filters. */
async function distribution(
  settings: Omit<Case, "kept">,
  history: Document["history_ids"],
  logits: Float32Array,
  vocabulary: number,
): Promise<number[][]> {
  const { temperature = 1, top_k: topK = 0, top_p = 1, min_p = 0, repetition_penalty = 1 } = settings;
  const kind: SamplerKind = {
    greedy: false,
    temperature: temperature !== 1,
    topK,
    topP: top_p < 1,
    minP: min_p > 0,
    repetitionPenalty: repetition_penalty !== 1,
  };
  const graph = new Graph(), shape = [history.length, vocabulary];
  const input = graph.input("logits", { dtype: "float32", shape: ["B", vocabulary] });
  const { scores, tokens } = filterLogits(input, samplerInputs(graph, kind, vocabulary), kind);
  graph.output("p", scores.softmax());
  if (tokens) graph.output("tokens", tokens);
  const seen = new Uint8Array(logits.length);
  history.forEach((ids, row) => ids.forEach((id) => seen[row * vocabulary + id] = 1));
  const given: Record<string, Fed> = {
    logits: floats(shape, logits),
    uniforms: floats([history.length, 1], history.map(() => 0)),
    temperature: floats([1], [temperature]),
    top_p: floats([1], [top_p]),
    min_p: floats([1], [min_p]),
    repetition_penalty: floats([1], [repetition_penalty]),
    seen: { dtype: "bool", shape, data: seen },
  };
  const fed = Object.fromEntries(graph.inputs.map(({ name }) => [name, given[name]!]));
  const { p, tokens: places } = await runOnce(graph, fed, { p: shape, ...(tokens ? { tokens: shape } : {}) });
  return history.map((_, r) => {
    const row: number[] = Array(vocabulary).fill(0);
    for (let i = r * vocabulary; i < (r + 1) * vocabulary; i++) {
      row[places ? places[i]! : i - r * vocabulary] = p![i]!;
    }
    return row;
  });
}
