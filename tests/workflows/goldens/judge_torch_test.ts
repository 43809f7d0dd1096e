import assert from "node:assert/strict";
import type { Verdict } from "../../../workflows/goldens/judge.ts";
import { judgeTorch } from "../../../workflows/goldens/judge_torch.ts";
import type { TorchTopic } from "../../../workflows/goldens/topic.ts";

const tolerance = { relative: 1e-4, absolute: 1e-6 };
const topic: TorchTopic = {
  about: "counts",
  takes: (file) => file === "counts",
  cases: ({ document, model }) =>
    (document["cases"] as { name: string; want: number }[]).map(({ name, want }) => ({
      name,
      checks: () =>
        name === "model" || name === "unnamed"
          ? [{
            name: model((name === "model" ? "../models/none" : document["model"]) as string),
            want,
            got: 0,
            tolerance,
          }]
          : [
            { name: "count", want: Float32Array.of(want), got: [1], tolerance },
          ],
    })),
};

async function judge(name: string, cases: unknown): Promise<Verdict[]> {
  const verdicts: Verdict[] = [], file = { name, path: `/nowhere/${name}.json`, cases: null, document: { cases } };
  for await (const verdict of judgeTorch(file, [topic], null, () => true)) verdicts.push(verdict);
  return verdicts;
}

Deno.test("judgeTorch() passes near values, names others, a model that is missing and a broken file", async () => {
  const [right, wrong, lost, unnamed] = await judge("counts", [
    { name: "right", want: 1.00001 },
    { name: "wrong", want: 2 },
    { name: "model", want: 0 },
    { name: "unnamed", want: 0 },
  ]);
  assert.equal(right!.failure, null);
  assert.equal(wrong!.failure, "count[0] is 1, want 2");
  assert.match(lost!.failure!, /Cannot find the model "\.\.\/models\/none": no folder none in .*--models/);
  assert.match(unnamed!.failure!, /Cannot find the model: "model" of the file is missing, want a text/);
  const [broken] = await judge("counts", 3);
  assert.match(broken!.failure!, /^outcome is an error/);
});

Deno.test("judgeTorch() says of a file without a topic that it is not implemented", async () => {
  const [verdict] = await judge("others", []);
  assert.deepEqual(verdict, { topic: "others", name: "others", errors: {}, failure: "not implemented" });
});
