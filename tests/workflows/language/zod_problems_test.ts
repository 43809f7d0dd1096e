import assert from "node:assert/strict";
import { z } from "zod";
import { formatPath } from "../../../workflows/language/problems.ts";
import { readAs, show } from "../../../workflows/language/zod_problems.ts";

const Reward = z.discriminatedUnion("uses", [
  z.strictObject({ uses: z.literal("format"), pattern: z.string() }),
  z.strictObject({ uses: z.literal("length"), limit: z.int() }),
]);

const SCHEMA = z.strictObject({
  size: z.int().min(2).max(10).default(4),
  rate: z.number().positive().optional(),
  mode: z.enum(["sampled", "greedy"]).optional(),
  count: z.union([z.int(), z.string().regex(/^\$\{\{/, { error: "want an expression", abort: true })]).optional(),
  names: z.array(z.string()).min(1).optional(),
  rewards: z.array(Reward).optional(),
  by_name: z.record(z.string().regex(/^[a-z]+$/, "want small letters"), z.number()).optional(),
  pair: z.strictObject({ low: z.number(), high: z.number() }).refine(
    ({ low, high }) => low <= high,
    "low is above high",
  ).optional(),
});

for (
  const [value, want] of [
    [
      { sise: 3 },
      'with.sise unknown key "sise"; did you mean "size"? Known: size, rate, mode, count, names, rewards, by_name, pair',
    ],
    [{ size: "3" }, 'with.size "size" is "3", want a number'],
    [{ size: 2.5 }, 'with.size "size" is 2.5, want a whole number'],
    [{ size: 1 }, 'with.size "size" is 1, want at least 2'],
    [{ size: 11 }, 'with.size "size" is 11, want at most 10'],
    [{ rate: 0 }, 'with.rate "rate" is 0, want more than 0'],
    [{ rate: null }, 'with.rate "rate" is empty, want a number'],
    [{ mode: "greed" }, 'with.mode "mode" is "greed", want one of "sampled", "greedy"; did you mean "greedy"?'],
    [{ count: true }, 'with.count "count" is true, want a number or a text'],
    [{ names: [] }, 'with.names "names" is an empty list, want at least 1 item(s)'],
    [{ names: ["a", 3] }, 'with.names[1] item 2 of "names" is 3, want a text'],
    [{ names: { a: 1 } }, 'with.names "names" is keys with values, want a list'],
    [
      { rewards: [{ uses: "format", patern: "x", pattern: "x" }] },
      'with.rewards[0].patern unknown key "patern"; did you mean "pattern"? Known: uses, pattern',
    ],
    [{ rewards: [{ uses: "format" }] }, 'with.rewards[0].pattern missing key "pattern" in "rewards"'],
    [{ by_name: { A: 1 } }, 'with.by_name.A "A" is no name, want small letters'],
    [{ pair: { low: 2, high: 1 } }, "with.pair low is above high"],
  ] as const
) {
  Deno.test(`readAs() of ${JSON.stringify(value)}`, () => {
    const problems = readAs(SCHEMA, value, ["with"]).problems;
    assert.deepEqual(problems.map(({ path, message }) => `${formatPath(path)} ${message}`), [want]);
  });
}

Deno.test("readAs() repeats a schema's own words, also about a key that has its default", () => {
  const schema = z.strictObject({ low: z.int().default(4), high: z.int() })
    .refine(({ low, high }) => low <= high, { path: ["low"], message: "low is above high" });
  assert.deepEqual(readAs(schema, { high: 1 }).problems, [{ path: ["low"], message: "low is above high" }]);
});

Deno.test("readAs() completes what a nested check says without naming the value, and sees unknown keys in it", () => {
  const schema = z.looseObject({}).superRefine((_, context) => {
    context.addIssue({ code: "custom", path: ["digits"], message: "Too small: expected number to be >=1" });
    context.addIssue({ code: "custom", path: ["with"], message: 'Unrecognized keys: "a", "b"' });
    context.addIssue({ code: "custom", path: ["digit"], message: 'unknown key "digit" of task "addition"' });
  });
  assert.deepEqual(readAs(schema, { digits: 0, digit: 1 }).problems, [
    { path: ["digits"], message: '"digits" is 0, want at least 1' },
    { path: ["with", "a"], message: 'unknown key "a"', key: true },
    { path: ["with", "b"], message: 'unknown key "b"', key: true },
    { path: ["digit"], message: 'unknown key "digit" of task "addition"', key: true },
  ]);
});

Deno.test("readAs() of a good value is what the schema makes of it", () => {
  assert.deepEqual(readAs(z.object({ low: z.int().default(1) }), {}), { data: { low: 1 }, problems: [] });
});

Deno.test("readAs() points at the key for an unknown key, at the value for a wrong one", () => {
  assert.deepEqual(readAs(SCHEMA, { sise: 1, size: 1 }).problems.map(({ key }) => key ?? false).sort(), [false, true]);
});

Deno.test("readAs() names an unknown branch of a discriminated union by its known names", () => {
  const [problem] = readAs(SCHEMA, { rewards: [{ uses: "formt", pattern: "x" }] }).problems;
  assert.equal(problem!.message, 'unknown uses "formt"; did you mean "format"? Known: format, length');
  assert.deepEqual(problem!.path, ["rewards", 0, "uses"]);
});

Deno.test("show() shortens", () => {
  assert.equal(show("x".repeat(100)).length <= 60, true);
  assert.equal(show([1, 2]), "a list of 2");
  assert.equal(show(undefined), "absent");
});
