/** Which findings are faults beside the first, and which may be in its place. */
import assert from "node:assert/strict";
import {
  areLookAlikes,
  independentFindings,
  plainEffects,
  runnersUp,
} from "../../../../steps/diagnoses/differential/alternatives.ts";
import { oneExamined, oneFinding } from "../../../workflows/doctor/one_examined.ts";

const { diagnosis } = oneExamined();
const likely = (cause: string, probability: number) => ({ cause, probability, for: [], against: [] });

Deno.test("areLookAlikes() holds both ways, of causes that a rule tells apart", () => {
  assert(areLookAlikes("entropy_collapse", "greedy_sampling"));
  assert(areLookAlikes("greedy_sampling", "entropy_collapse"));
  assert(areLookAlikes("constant_reward", "greedy_sampling") && areLookAlikes("greedy_sampling", "constant_reward"));
  assert(!areLookAlikes("entropy_collapse", "kto_single_class"));
  assert(!areLookAlikes("entropy_collapse", "nothing_we_know"));
});

Deno.test("independentFindings() keeps the first, faults beside it and notes; runnersUp() has the others", () => {
  const findings = [
    oneFinding(),
    oneFinding({ cause: "greedy_sampling" }),
    oneFinding({ cause: "resource_stall" }),
    oneFinding({ cause: "greedy_sampling", severity: "info" }),
  ];
  const run = {
    ...diagnosis,
    findings,
    differential: [
      likely("entropy_collapse", 0.7),
      likely("greedy_sampling", 0.2),
      likely("resource_stall", 0.05),
      likely("mode_collapse", 0.03), // an after-effect
      likely("nan_loss", 0.01),
    ],
  };
  assert.deepEqual(independentFindings({ findings: [] }), []);
  const alarms = { ...run, findings: findings.slice(0, 3) };
  assert.deepEqual(independentFindings(alarms).map(({ cause }) => cause), ["entropy_collapse", "resource_stall"]);
  assert.equal(independentFindings(run).length, 3);
  assert.deepEqual(runnersUp(alarms).map(({ cause }) => cause), ["greedy_sampling"]);
  assert.deepEqual(runnersUp(alarms, 0).map(({ cause }) => cause), ["greedy_sampling", "nan_loss"]);
  assert.equal(runnersUp({ ...run, findings: [], afterEffects: [] }).length, 4);
  assert.deepEqual(plainEffects(alarms).map(({ cause }) => cause), ["mode_collapse"]);
  const strong = { ...alarms, differential: [...run.differential.slice(0, 2), likely("mode_collapse", 0.1)] };
  assert.deepEqual(runnersUp(strong).map(({ cause }) => cause), ["greedy_sampling", "mode_collapse"]);
  assert.deepEqual(plainEffects(strong), []);
});
