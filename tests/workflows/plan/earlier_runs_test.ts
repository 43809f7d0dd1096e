import assert from "node:assert/strict";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { WorkflowError } from "../../../workflows/language/problems.ts";
import { isRepeat } from "../../../workflows/language/schema.ts";
import { earlierRun, withEarlierRuns } from "../../../workflows/plan/earlier_runs.ts";

const TEXT = `name: mine
params: { model: run:last || small_qwen2 }
steps:
  - { uses: a, with: { model: "run:other", list: ["run:last || x"], text: "run: last", other: "run:last!" } }
  - repeat: 2
    steps:
      - { uses: b, with: { deep: { model: run:last } } }
`;
const newest = (runs: Readonly<Record<string, string>>) => (name: string) => runs[name] ?? null;

Deno.test("withEarlierRuns() answers run:last and run:NAME wherever they stand, and nothing else", () => {
  const { document } = withEarlierRuns(parseWorkflow(TEXT, "a.yaml"), newest({ mine: "run_1", other: "run_2" }));
  assert.deepEqual(document.params, { model: "run_1" });
  const [first, block] = document.steps;
  assert(first && block && !isRepeat(first) && isRepeat(block));
  assert.deepEqual(first.with, { model: "run_2", list: ["run_1"], text: "run: last", other: "run:last!" });
  const [inner] = block.steps;
  assert(inner && !isRepeat(inner));
  assert.deepEqual(inner.with, { deep: { model: "run_1" } });
});

Deno.test("withEarlierRuns() takes what follows || while there is no run, and names the place where nothing does", () => {
  const loaded = parseWorkflow(TEXT, "a.yaml");
  assert.throws(() => withEarlierRuns(loaded, newest({ other: "run_2" })), (error) => {
    assert(error instanceof WorkflowError);
    assert.match(
      error.message,
      /^a\.yaml:7:43: "run:last" names the newest run of "mine" .* run:last \|\| small_qwen2/,
    );
    return error.issues.length === 1;
  });
  const without = parseWorkflow(TEXT.replace(": run:last }", ": x }"), "a.yaml");
  assert.deepEqual(withEarlierRuns(without, newest({ other: "run_2" })).document.params, { model: "small_qwen2" });
});

Deno.test("earlierRun() answers a parameter of the command line", () => {
  assert.equal(earlierRun("run:last", "mine", newest({ mine: "run_1" })), "run_1");
  assert.equal(earlierRun("300", "mine", newest({})), "300");
  assert.throws(() => earlierRun("run:last", "mine", newest({})), /^RangeError: Cannot use -p: "run:last" names/);
});
