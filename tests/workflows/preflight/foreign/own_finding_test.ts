import assert from "node:assert/strict";
import type { ImportedRun } from "../../../../data/adapters/run/imported_run.ts";
import { numberOf, own, settingOf } from "../../../../workflows/preflight/foreign/own_finding.ts";

const setting = (name: string, value: unknown, system = "trl") => ({
  ...{ name, value, system, option: name === "beta" ? "kl_coef" : null },
  ...{ written_type: "number", source: "a.sh", line: 3, column: 1 },
});
const run = (...settings: readonly object[]) => ({ settings }) as unknown as ImportedRun;

Deno.test("settingOf() takes the last setting of an option, never the model folder's; numberOf() a number alone", () => {
  const all = run(setting("beta", 1), setting("beta", 2), setting("beta", 3, "model"));
  assert.equal(settingOf(all, "kl_coef")!.value, 2);
  assert.deepEqual([numberOf(all, "kl_coef"), numberOf(run(setting("beta", "x")), "kl_coef")], [2, null]);
  assert.equal(settingOf(run(), "kl_coef"), undefined);
});

Deno.test("own() takes the place of the diagnosis of its cause, unless that is about any option", () => {
  const shown = [setting("beta", [1]) as never],
    { finding, replaces } = own("error", "m", "h", shown, { replaces: ["x"] });
  assert.deepEqual([finding.cause, finding.evidence[0]!.value, replaces], ["invalid_config_value", "[1]", ["x"]]);
  assert.deepEqual(own("error", "m", "h", [], { cause: "greedy_sampling" }).replaces, ["greedy_sampling"]);
});
