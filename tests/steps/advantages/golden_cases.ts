/** Reads golden cases of advantage estimators and compares numbers with their tolerance. */
import assert from "node:assert/strict";

export interface GoldenCase {
  readonly name: string;
  readonly params: Record<string, unknown>;
  // deno-lint-ignore no-explicit-any
  readonly inputs: any;
  // deno-lint-ignore no-explicit-any
  readonly outputs: any;
}

/** The cases of tests/goldens/formulas/<file> whose name begins with a prefix; at least one. */
export async function goldenCases(file: string, prefix: string): Promise<GoldenCase[]> {
  const text = await Deno.readTextFile(new URL(`../../goldens/formulas/${file}`, import.meta.url));
  const cases = (JSON.parse(text).cases as GoldenCase[]).filter(({ name }) => name.startsWith(prefix));
  assert(cases.length > 0, `no case of ${file} begins with ${prefix}`);
  return cases;
}

/** Tolerances of the goldens' page, relative and absolute. */
export const FLOAT64 = [1e-6, 1e-9] as const;
export const FLOAT32 = [1e-4, 1e-6] as const;

export function assertClose(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  name: string,
  [relative, absolute]: readonly [number, number] = FLOAT64,
): void {
  assert.equal(actual.length, expected.length, name);
  for (let i = 0; i < expected.length; i++) {
    const gap = Math.abs(actual[i]! - expected[i]!);
    assert(gap <= relative * Math.abs(expected[i]!) + absolute, `${name}: [${i}] is ${actual[i]}, want ${expected[i]}`);
  }
}

/** False for a batch with a group of one, where verl gives the reward itself; ours is refused by the step. */
export function hasNoGroupOfOne({ inputs }: GoldenCase): boolean {
  const ids = inputs.group_ids as unknown[];
  return ids.every((id) => ids.filter((other) => other === id).length > 1);
}

/** Consecutive groups of a size. */
export function consecutive(count: number, size: number): number[] {
  return Array.from({ length: count }, (_, i) => Math.floor(i / size));
}

/** verl's case as one value per completion: reward = sum of token rewards, advantage = that of the first token. */
export function perCompletion({ inputs, outputs }: GoldenCase) {
  const lengths = inputs.completion_mask.map((row: number[]) => row.reduce((a, b) => a + b, 0)) as number[];
  return {
    lengths,
    rewards: inputs.token_rewards.map((row: number[]) => row.reduce((a, b) => a + b, 0)) as number[],
    groups: inputs.group_ids.map((id: unknown) => [...new Set(inputs.group_ids)].indexOf(id)) as number[],
    /** Rows without tokens have no advantage to compare. */
    rows: lengths.flatMap((length, row) => length > 0 ? [row] : []),
    advantages: outputs.advantages.map((row: number[]) => row[0]) as number[],
  };
}
