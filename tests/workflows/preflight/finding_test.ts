/** A finding knows its place in the file. */
import assert from "node:assert/strict";
import { stepsOf } from "../../../workflows/plan/plan.ts";
import { at, placed } from "../../../workflows/preflight/finding.ts";
import { planText, smallPlan } from "./small_plans.ts";

Deno.test("placed() points at a value that is written, else at the step", () => {
  const given = { sample: { temperature: 0.5 } }, plan = smallPlan(given, "/data");
  const step = stepsOf(plan.steps).find(({ uses }) => uses === "sample_groups")!;
  const place = (key: string) => {
    const { position, text } = placed("a_rule", { severity: "error", message: "it is bad", path: at(step, key) }, plan);
    const { line, column } = position!;
    assert(text.startsWith(`small.yaml:${line}:${column}: error: it is bad\n`), text);
    return planText(given).split("\n")[line - 1]!.slice(column - 1);
  };
  assert(place("temperature").startsWith("0.5"));
  assert(place("top_p").startsWith("sample_groups"));
});
