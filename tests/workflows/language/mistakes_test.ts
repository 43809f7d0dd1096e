/** Every mistake in a workflow file is answered by one line, at its place, by `check`. */
import assert from "node:assert/strict";
import { STEPS } from "../../../steps/mod.ts";
import { WorkflowError } from "../../../workflows/language/problems.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planRuns } from "../../../workflows/plan/plan_workflow.ts";
import { preflight } from "../../../workflows/preflight/preflight.ts";
import { MISTAKES, NO_MISTAKES, RIGHT } from "./mistakes.ts";

interface Told {
  readonly position: { readonly line: number; readonly column: number } | null;
  readonly message: string;
}

/** `line:column message` of all that `check` says of a text. */
async function answers(text: string): Promise<string[]> {
  const told = ({ position, message }: Told) => `${position?.line}:${position?.column} ${message}`;
  try {
    const plans = planRuns(parseWorkflow(text, "mine.yaml", { kinds: STEPS, folder: "/data" }), STEPS);
    const found = (await Promise.all(plans.map((plan) => preflight(plan)))).flat();
    return found.filter(({ severity }) => severity !== "info").map(told);
  } catch (error) {
    assert(error instanceof WorkflowError, `want a WorkflowError, got ${(error as Error).stack}`);
    return error.issues.map(told);
  }
}

function edited(before: string, after: string): string {
  if (before === "") return after;
  assert(RIGHT.includes(before), `the file has ${before}`);
  return RIGHT.replace(before, () => after);
}

Deno.test("the file itself has no mistake", async () => assert.deepEqual(await answers(RIGHT), []));

for (const [before, after, answer] of MISTAKES) {
  Deno.test(`a mistake is answered at its place: ${JSON.stringify(after || `without ${before}`).slice(0, 70)}`, async () => {
    const told = await answers(edited(before, after));
    assert.equal(told.length, 1, told.join("\n"));
    assert(told[0]!.startsWith(answer), `${told[0]}\nwant ${answer}`);
  });
}

for (const [before, after] of NO_MISTAKES) {
  Deno.test(`this is no mistake: ${JSON.stringify(after).slice(0, 70)}`, async () => {
    assert.deepEqual(await answers(edited(before, after)), []);
  });
}

Deno.test("the list of mistakes is long and names each once", () => {
  assert(MISTAKES.length >= 90, `${MISTAKES.length}`);
  assert.equal(new Set(MISTAKES.map(([before, after]) => `${before} ${after}`)).size, MISTAKES.length);
});
