import assert from "node:assert/strict";
import { evaluate, scoreOf, single } from "../../../../steps/rewards/sandbox/evaluate.ts";
import { rewardBatch } from "../batch.ts";

const BATCH = rewardBatch(["a", "bb"]);

Deno.test("evaluate() passes the batch and the options, and waits for a promise", async () => {
  const reply = await evaluate(
    ({ texts }, { plus }) => Promise.resolve(texts.map((t) => t.length + Number(plus))),
    BATCH,
    {
      plus: 1,
    },
  );
  assert.deepEqual(reply, { values: [2, 3] });
});

Deno.test("evaluate() says what it found in place of a number", async () => {
  assert.deepEqual(await evaluate(() => [NaN, "x"], BATCH, {}), { values: [{ found: "NaN" }, { found: '"x"' }] });
  assert.deepEqual(await evaluate(() => [true, null], BATCH, {}), { values: [{ found: "true" }, null] });
  const hostile = {
    toString: () => {
      throw new Error("no");
    },
  };
  assert.deepEqual(await evaluate(() => [hostile, 1], BATCH, {}), { values: [{ found: "a object" }, 1] });
});

Deno.test("evaluate() turns every exception and every wrong shape into a failure", async () => {
  const failing = (score: () => unknown) => evaluate(score, BATCH, {});
  assert.deepEqual(
    await failing(() => {
      throw "text";
    }),
    { failure: 'threw "text"' },
  );
  assert.match(
    (await failing(() => Promise.reject(new RangeError("r"))) as { failure: string }).failure,
    /^threw RangeError: r \(evaluate_test\.ts:\d+:\d+\)$/,
  );
  assert.deepEqual(await failing(() => [1]), { failure: "returned 1 values for 2 completions" });
  assert.deepEqual(await failing(() => undefined), { failure: "returned undefined, want an array of 2 numbers" });
});

Deno.test("evaluate() lists the fields of a batch when the code reads one that is not there, and only then", async () => {
  const reading = (score: (batch: Record<string, string[]>) => unknown) =>
    evaluate(score as unknown as Parameters<typeof evaluate>[0], BATCH, {}) as Promise<{ failure: string }>;
  assert.match(
    (await reading(({ completions }) => completions!.map(() => 1))).failure,
    /the first argument holds prompts, texts, answers, completion_tokens, truncated, rows, each row prompt_id; the second, .*, holds nothing$/,
  );
  const scaled = await evaluate((_, options) => (options["scales"] as number[]).map(() => 1), BATCH, { scale: 2 });
  assert.match((scaled as { failure: string }).failure, /; the second, what "with" of its entry gives, holds scale$/);
  const other = await reading(({ texts }) => {
    throw new TypeError(`cannot use ${texts![0]}`);
  });
  assert(!other.failure.includes("holds"), other.failure);
});

Deno.test("scoreOf() prefers score to the default export", () => {
  const score = () => [], other = () => [];
  assert.equal(scoreOf({ score, default: other }), score);
  assert.equal(scoreOf({ default: other }), other);
  assert.throws(() => scoreOf({ score: 1 }), /exports no function "score"/);
});

Deno.test("single() is a batch of one completion in every column", () => {
  assert.deepEqual(single(BATCH, 1), {
    prompts: ["p1"],
    texts: ["bb"],
    answers: [""],
    completion_tokens: [2],
    truncated: [false],
    rows: [{ prompt_id: 1 }],
  });
});
