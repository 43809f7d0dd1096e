import assert from "node:assert/strict";
import { computed, lacking, number } from "../../../workflows/translate/entries.ts";
import { applyTable } from "../../../workflows/translate/table.ts";

const table = {
  beta: number("s.beta", 0.1),
  rate: { ...number("s.rate", 0.5), also: ["lr"] },
  flag: computed(false, (value) => ({ set: { "s.flag": value === true } })),
  gone: lacking("not here"),
  named: { asText: true as const, make: () => ({ equal: "a name" }) },
};
const ours = (target: string) => ({ "s.beta": 0.1, "s.flag": false })[target];
const apply = (written: Record<string, unknown>) =>
  applyTable(
    { table, fixed: { "s.fixed": 1 } },
    Object.entries(written).map(([name, value], i) => ({ name, value: value as never, line: i + 1 })),
    "X",
    ours,
  );

Deno.test("applyTable() gives every option its class, and settings only where they differ from ours", () => {
  const { outcomes, settings } = apply({
    beta: 0.1,
    lr: 2,
    no_flag: true,
    gone: 1,
    named: { unresolved: "f" },
    bet: 1,
  });
  const written = Object.fromEntries(outcomes.filter(({ line }) => line > 0).map((o) => [o.option, o.class]));
  assert.deepEqual(written, {
    beta: "equal",
    lr: "translated",
    no_flag: "equal",
    gone: "not_supported",
    named: "equal",
    bet: "unknown",
  });
  assert.deepEqual(settings, { "s.fixed": 1, "s.rate": 2 });
  assert.match(outcomes.find(({ option }) => option === "bet")!.text, /did you mean beta/);
});

Deno.test("applyTable() sets a system's own defaults, and they give way to what is written", () => {
  const silent = apply({});
  assert.deepEqual([silent.settings, silent.outcomes.map(({ option, line }) => [option, line])], [{
    "s.fixed": 1,
    "s.rate": 0.5,
  }, [["rate", 0]]]);
  assert.deepEqual(apply({ rate: { unresolved: "x()" } }).settings["s.rate"], 0.5);
  assert.match(
    apply({ rate: { unresolved: "x()" } }).outcomes[0]!.text,
    /only known when the program runs; X's default 0.5/,
  );
});

Deno.test("applyTable() lets the last of two hold and tells the first", () => {
  const { outcomes, settings } = apply({ rate: 1, lr: 3 });
  assert.equal(settings["s.rate"], 3);
  assert.match(outcomes[0]!.text, /given again in line 2 as 3/);
});
