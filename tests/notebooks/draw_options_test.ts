import assert from "node:assert/strict";
import { checkDrawOptions } from "../../notebooks/draw_options.ts";
import { chartSpec } from "../../notebooks/draw.ts";
import { CHARTS } from "../../notebooks/charts/mod.ts";

Deno.test("checkDrawOptions() refuses a misspelt option and theme with the nearest", () => {
  assert.throws(
    () => checkDrawOptions({ thme: "dark" }),
    /RangeError: Cannot draw with "thme".*did you mean "theme"\?/,
  );
  assert.throws(
    () => checkDrawOptions({ theme: "drk" }),
    /RangeError: Cannot draw in theme "drk".*did you mean "dark"\?/,
  );
  checkDrawOptions({ theme: "dark", width: 300, height: 100, findings: [] });
  checkDrawOptions({ theme: undefined });
});

Deno.test("chartSpec() draws with no option that it does not know", () => {
  const metrics = [1, 2].map((train_step) => ({ train_step, reward: train_step }));
  const draw = (options: object) => chartSpec(CHARTS.reward, { metrics }, options);
  assert.throws(() => draw({ thme: "dark" }), /Cannot draw with "thme"/);
  assert.throws(() => draw({ theme: "drk" }), /Cannot draw in theme "drk"/);
  assert.equal(typeof draw({ theme: "dark" }), "object");
});
