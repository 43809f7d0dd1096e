import assert from "node:assert/strict";
import { chartOf, drawable } from "../../../workflows/explore/chart_of.ts";

const metrics = [1, 2].map((train_step) => ({ train_step, entropy: 1 / train_step }));

Deno.test("chartOf() draws by name or by a definition of one's own", async () => {
  assert.deepEqual(drawable({ metrics }), ["entropy"]);
  assert.equal(chartOf("entropy", { metrics }, { theme: "dark" }).theme, "dark");
  const own = {
    title: "Own",
    about: "a",
    sources: [{
      reads: "metrics" as const,
      needs: ["train_step", "entropy"],
      uses: [],
      spec: () => ({ mark: "point", encoding: { x: { field: "entropy", type: "quantitative" } } }),
    }] as const,
  };
  assert.match(await chartOf(own, { metrics }).svg(), />entropy<|<svg /);
});

Deno.test("chartOf() names what is missing and what there is instead", () => {
  assert.throws(() => chartOf("kl", { metrics }), /has no "kl" \(estimated KL to .*\); there is entropy$/);
  assert.throws(() => chartOf("kl", {}), /the run has no rows of table "metrics"; there is no other$/);
  assert.throws(() => chartOf("entropi" as "entropy", { metrics }), /no such chart.*"entropy"/);
});
