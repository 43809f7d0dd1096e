import assert from "node:assert/strict";
import { z } from "zod";
import { defineAdvantage } from "../../../steps/advantages/advantage.ts";
import { mergedOptions, ownOptions, strangeOptions } from "../../../steps/options/own_options.ts";

const of = <Params extends z.ZodObject>(params: Params) =>
  defineAdvantage({
    about: "",
    method: { formula: "", source: "", names: {} },
    params,
    minGroupSize: () => 1,
    advantages: (_, { rewards }) => rewards.map(() => 0),
  });

const eps = z.number().default(0.1).describe("added");
const one = of(z.strictObject({ eps, mode: z.enum(["a", "b"]).default("a") }));
const two = of(z.strictObject({ eps, gamma: z.number() }));

Deno.test("mergedOptions() takes every estimator's options, none of which must be there", () => {
  const options = z.strictObject(mergedOptions({ one, two }));
  assert.deepEqual(Object.keys(options.shape), ["eps", "mode", "gamma"]);
  assert.deepEqual(options.parse({}), {});
  assert.deepEqual(options.parse({ gamma: 2, mode: "b" }), { gamma: 2, mode: "b" });
  assert(!options.safeParse({ mode: "c" }).success);
  assert(!options.safeParse({ other: 1 }).success);
  const { eps: printed } = z.toJSONSchema(options).properties as Record<
    string,
    { default: number; description: string }
  >;
  assert.deepEqual([printed!.default, printed!.description], [0.1, "added"]);
});

Deno.test("mergedOptions() takes any one's values where estimators share a name", () => {
  const other = of(z.strictObject({ mode: z.number().default(3) })), third = of(z.strictObject({ mode: z.boolean() }));
  const two = z.strictObject(mergedOptions({ one, other })), all = z.strictObject(mergedOptions({ one, other, third }));
  for (const mode of [4, "b"] as const) assert.equal(two.parse({ mode }).mode, mode);
  for (const mode of [4, "b", true] as const) assert.equal(all.parse({ mode }).mode, mode);
});

Deno.test("mergedOptions() tells each estimator's default where two share a name and differ", () => {
  const three = of(z.strictObject({ eps: z.number().default(0.5).describe("three: divides") }));
  const { description, default: byDefault } = mergedOptions({ one, two, three }).eps.meta()!;
  assert.deepEqual([description, byDefault], [
    "one, two: added (default 0.1); three: divides (default 0.5)",
    undefined,
  ]);
});

Deno.test("mergedOptions() does not say once more whose an option is where its text begins with one of them", () => {
  const shared = z.number().default(2).describe("one and two: adds"), mode = z.boolean().describe("of three");
  const owners = { one: of(z.strictObject({ shared })), two: of(z.strictObject({ shared })) };
  const { shared: option } = mergedOptions({ ...owners, three: of(z.strictObject({ shared: mode })) });
  assert.equal(option.meta()!.description, "one and two: adds (default 2); three: of three");
});

Deno.test("ownOptions() gives an estimator its own options, whose defaults are its own", () => {
  assert.deepEqual(ownOptions(two, { gamma: 2, mode: "b", eps: undefined }), { gamma: 2 });
  assert.deepEqual(two.params.parse(ownOptions(two, { gamma: 2 })), { gamma: 2, eps: 0.1 });
});

Deno.test("strangeOptions() names what is another entry's, not what is the step's own", () => {
  const all = mergedOptions({ one, two }), given = { eps: 1, gamma: 2, mode: undefined, learning_rate: 3 };
  assert.deepEqual(strangeOptions('loss "one"', one, all, given), [
    'Cannot set "gamma" for loss "one": it reads eps, mode',
  ]);
  assert.deepEqual(strangeOptions('loss "two"', two, all, given), []);
});
