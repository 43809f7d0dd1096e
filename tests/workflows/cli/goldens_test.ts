import assert from "node:assert/strict";
import { join } from "node:path";
import { FORMULAS } from "../goldens/held.ts";
import { inProcess } from "./in_process.ts";

const ONE = "sum_then_normalize/group/one_reward";

Deno.test("goldens prints cases, passes and the largest error of each topic", async () => {
  const { code, out, err } = await inProcess(["goldens", FORMULAS, "--filter", ONE]);
  assert.equal(code, 0, err);
  assert.match(out, /^topic +cases +passed +float64 +float32$/m);
  assert.match(out, /^trl_advantages\/sum_then_normalize +(\d+) +\1 +(?:\d\.\de-\d+|0) +–$/m);
  const printed = JSON.parse((await inProcess(["goldens", FORMULAS, "--filter", ONE, "--json"])).out);
  assert.equal(printed.cases, printed.passed);
  assert.deepEqual(printed.topics.map(({ topic }: { topic: string }) => topic), ["trl_advantages/sum_then_normalize"]);
});

Deno.test("goldens exits with 1 for a value that differs and for a topic that is not known, and names them", async () => {
  const folder = Deno.makeTempDirSync(),
    first = JSON.parse(Deno.readTextFileSync(join(FORMULAS, "trl_advantages.json")));
  first.cases = first.cases.slice(0, 1);
  first.cases[0].outputs.advantages[2] = 5;
  Deno.writeTextFileSync(join(folder, "trl_advantages.json"), JSON.stringify(first));
  Deno.writeTextFileSync(
    join(folder, "unheard_of.json"),
    JSON.stringify({ source: "x", cases: [{ name: "a", outputs: 1 }] }),
  );
  const { code, out } = await inProcess(["goldens", folder]);
  assert.equal(code, 1);
  assert.match(out, /^trl_advantages\/sum_then_normalize +1 +0 +\S+ +– +FAILED$/m);
  assert.match(out, /^unheard_of +1 +0 +– +– +not implemented$/m);
  assert.match(out, /one_reward\/0: advantages\[2\] is -0\.7\d+, want 5$/m);
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("goldens refuses a folder that is missing, empty or broken, and a filter that names nothing", async () => {
  const empty = Deno.makeTempDirSync();
  const refused = async (args: string[], message: RegExp) => {
    const { code, err } = await inProcess(["goldens", ...args]);
    assert.notEqual(code, 0);
    assert.match(err, message);
    assert.doesNotMatch(err, /^ +at /m);
  };
  await refused([join(empty, "none")], /Cannot read goldens: .* is no folder/);
  await refused([empty], /Cannot read goldens: .* has no file NAME\.json/);
  await refused([FORMULAS, "--filter", "no such case"], /Cannot compare anything: no case has "no such case"/);
  await refused([FORMULAS, "--models", join(empty, "none")], /Cannot read goldens: .* is no folder/);
  Deno.writeTextFileSync(join(empty, "a.json"), "{");
  await refused([empty], /Cannot read .*a\.json: it is not JSON/);
  Deno.removeSync(empty, { recursive: true });
});
