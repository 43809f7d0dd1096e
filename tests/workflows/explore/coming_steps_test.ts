import assert from "node:assert/strict";
import type { PlannedStep, PlanNode } from "../../../workflows/plan/plan.ts";
import { canCome } from "../../../workflows/explore/coming_steps.ts";

const step = (id: string) => ({ type: "step", id }) as PlannedStep;
const [load, a, b, c, end] = ["load", "a", "b", "c", "end"].map(step) as
  & [PlannedStep, ...PlannedStep[]]
  & PlannedStep[];
const repeat = (...steps: PlanNode[]) => ({ type: "repeat", steps }) as unknown as PlanNode;
const NODES = [load, repeat(a!, repeat(b!, c!)), end!];

for (
  const [waiting, coming] of [
    ["load", "load a b c end"],
    ["a", "a b c end"],
    ["b", "a b c end"],
    ["c", "a b c end"],
    ["end", "end"],
  ] as const
) {
  Deno.test(`of a run that waits before ${waiting} there can come ${coming}`, () => {
    const at = [load, a!, b!, c!, end!].find(({ id }) => id === waiting)!;
    const found = [load, a!, b!, c!, end!].filter((one) => canCome(NODES, at, (step) => step === one));
    assert.equal(found.map(({ id }) => id).join(" "), coming);
  });
}
