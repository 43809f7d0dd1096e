/** Runs one topic over the golden files in tests/goldens/formulas. @module */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { judgeFormulas, NOT_IMPLEMENTED, type Verdict } from "../../../workflows/goldens/judge.ts";
import { readGoldens } from "../../../workflows/goldens/read.ts";
import { openGraphRunner } from "../../../workflows/goldens/run_graph.ts";
import { judgeTorch } from "../../../workflows/goldens/judge_torch.ts";
import type { FormulaTopic, TorchTopic } from "../../../workflows/goldens/topic.ts";

export const FORMULAS = fileURLToPath(new URL("../../goldens/formulas", import.meta.url));

/** The verdicts on all cases that a topic takes. */
export async function verdictsOf(topic: FormulaTopic): Promise<Verdict[]> {
  const graphs = await openGraphRunner(), verdicts: Verdict[] = [];
  const files = readGoldens(FORMULAS).filter(({ name }) => Object.hasOwn(topic.takes, name));
  for (const file of files) {
    for await (const verdict of judgeFormulas(file, [topic], graphs, () => true)) {
      if (verdict.failure !== NOT_IMPLEMENTED) verdicts.push(verdict);
    }
  }
  graphs.release();
  return verdicts;
}

const TORCH = fileURLToPath(new URL("../../goldens/torch", import.meta.url));

/** Asserts that the files in tests/goldens/torch that a topic takes have so many cases, and that all but `failing` pass. */
export async function holdsTorch(topic: TorchTopic, cases: number, failing: readonly string[] = []): Promise<void> {
  const verdicts: Verdict[] = [];
  for (const file of readGoldens(TORCH).filter(({ name }) => topic.takes(name))) {
    for await (const verdict of judgeTorch(file, [topic], null, () => true)) verdicts.push(verdict);
  }
  const failed = verdicts.filter(({ name, failure }) => failure !== null && !failing.includes(name));
  assert.deepEqual(failed.slice(0, 5).map(({ name, failure }) => `${name}: ${failure}`), [], `${failed.length} failed`);
  assert.equal(verdicts.length, cases);
  for (const name of failing) assert(verdicts.some((verdict) => verdict.name === name && verdict.failure), name);
}

/** Asserts that a topic takes so many cases and that every one of them passes. */
export async function holds(topic: FormulaTopic, cases: number): Promise<void> {
  const verdicts = await verdictsOf(topic);
  const failed = verdicts.filter(({ failure }) => failure !== null).map(({ name, failure }) => `${name}: ${failure}`);
  assert.deepEqual(failed.slice(0, 5), [], `${failed.length} of ${verdicts.length} cases failed`);
  assert.equal(verdicts.length, cases);
}
