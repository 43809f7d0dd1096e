import assert from "node:assert/strict";
import { fromFileUrl } from "@deno/std/path/from_file_url.js";
import { closeSandboxes } from "../../../steps/rewards/sandbox/pool.ts";
import { type FailurePolicy, scoreUserCode, type UserReward } from "../../../steps/rewards/user_code.ts";
import { rewardBatch } from "./batch.ts";

const BATCH = rewardBatch(["a", "bb", "ccc", "bad"]);
const STOP: FailurePolicy = { onError: "stop", retries: 2 };

function userReward(
  options: Record<string, unknown>,
  given: Partial<UserReward> = {},
  file = "behaves.ts",
): UserReward {
  return {
    name: "mine",
    path: fromFileUrl(new URL(`./user_rewards/${file}`, import.meta.url)),
    options,
    trusted: false,
    limits: { timeoutMs: 10_000, memoryBytes: 512 * 2 ** 20, net: [] },
    remedy: "mend the function",
    ...given,
  };
}

function host() {
  const printed: string[] = [], dropped: [number, string][] = [];
  return {
    runId: "user_code",
    stepId: "score",
    signal: new AbortController().signal,
    print: (text: string) => void printed.push(text),
    dropped: (sample: number, reason: string) => void dropped.push([sample, reason]),
    printed,
    droppedSamples: dropped,
  };
}

/** Runs a body and ends every sandbox, so that a leaked process fails the test. */
const test = (name: string, body: () => Promise<void>) =>
  Deno.test(name, async () => {
    try {
      await body();
    } finally {
      await closeSandboxes();
    }
  });

for (const trusted of [false, true]) {
  const where = trusted ? "trusted" : "in the sandbox";
  test(`scoreUserCode() gives one value per completion, ${where}`, async () => {
    assert.deepEqual(await scoreUserCode(userReward({}, { trusted }), BATCH, STOP, host()), [1, 2, 3, 3]);
    const byDefault = userReward({}, { trusted }, "by_default.js");
    assert.deepEqual(await scoreUserCode(byDefault, rewardBatch(["right", "x"]), STOP, host()), [1, 0]);
  });

  test(`scoreUserCode() asks each completion alone where it is told, ${where}`, async () => {
    const count = (policy: FailurePolicy) =>
      scoreUserCode(userReward({ does: "counts", at: "bad" }, { trusted }), BATCH, policy, host());
    const drop: FailurePolicy = { onError: "drop", retries: 0 };
    assert.deepEqual(await count(drop), [1, 2, 3, 3]);
    assert.deepEqual(await count({ ...drop, alone: true }), [1, 2, 3, 0]);
  });

  /** Said where a field may be missing. */
  const HELD =
    "the first argument holds prompts, texts, answers, completion_tokens, truncated, rows, each row prompt_id; " +
    'the second, what "with" of its entry gives, holds does, at';

  test(`scoreUserCode() names the sample, the completion and the value, ${where}`, async () => {
    for (
      const [does, problem] of [
        ["throws", "it threw Error: no unit (behaves.ts:9:11), first at"],
        ["nan", "it gave NaN, want a finite number or null, first at"],
        ["infinite", "it gave Infinity, want a finite number or null, first at"],
        ["text", 'it gave "1", want a finite number or null, first at'],
        ["nothing", "it gave undefined, want a finite number or null, first at"],
      ] as const
    ) {
      const reward = userReward({ does, at: "bad" }, { trusted });
      await assert.rejects(scoreUserCode(reward, BATCH, STOP, host()), {
        message: `Cannot score with reward "mine": ${problem} sample 3 of 4 (prompt "p3", completion "bad"); ` +
          (/gave (NaN|undefined)/.test(problem) ? `${HELD}; ` : "") +
          "mend the function, or set on_error: drop to leave such samples out",
      });
    }
    for (
      const [does, problem] of [
        ["too_few", /it returned 3 values for 4 completions, first at sample 0 of 4/],
        ["no_array", /it returned 3, want an array of 4 numbers, first at sample 0/],
      ] as const
    ) {
      await assert.rejects(scoreUserCode(userReward({ does }, { trusted }), BATCH, STOP, host()), problem);
    }
    await assert.rejects(
      scoreUserCode(userReward({}, { trusted }, "no_function.js"), BATCH, STOP, host()),
      /Cannot load reward "mine" from .*no_function.js: it exports no function "score" and no default.*exports: rewards/,
    );
  });

  test(`scoreUserCode() tells at once, and with the next batch, what is thrown after an answer, ${where}`, async () => {
    for (const does of ["rejects_late", "throws_late"]) {
      const to = host();
      const reward = userReward({ does, at: "bad" }, { trusted }), failure = /threw Error: no await .*outside of its/;
      assert.deepEqual(await scoreUserCode(reward, BATCH, STOP, to), [1, 2, 3, 1]);
      while (to.printed.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      assert.match(to.printed.join(), failure);
      const next = userReward({}, { trusted });
      await assert.rejects(scoreUserCode(next, BATCH, STOP, host()), failure);
      assert.deepEqual(await scoreUserCode(next, BATCH, STOP, host()), [1, 2, 3, 3]);
      const again = host(), drop = { onError: "drop", retries: 0 } as const;
      await scoreUserCode(reward, BATCH, drop, again);
      while (again.printed.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      await assert.rejects(
        scoreUserCode(next, BATCH, drop, again),
        /outside of its .*, on none of them alone; (?!.*drop)/,
      );
      assert.deepEqual(again.droppedSamples, [], "it belongs to no sample");
    }
  });

  test(`scoreUserCode() drops only the failing samples, ${where}`, async () => {
    for (const does of ["throws", "nan"]) {
      const to = host();
      const values = await scoreUserCode(
        userReward({ does, at: "bad" }, { trusted }),
        rewardBatch(["bad", "bb", "bad", "c"]),
        { onError: "drop", retries: 0 },
        to,
      );
      assert.deepEqual(values, [null, 2, null, 1]);
      assert.deepEqual(to.droppedSamples.map(([sample]) => sample), [0, 2]);
    }
  });
}

test("scoreUserCode() names the sample at which the code hangs, dies, or takes the memory", async () => {
  for (
    const [does, problem, limits] of [
      ["loops", /it gave no answer within 0.4 s, first at sample 3 of 4/, { timeoutMs: 400 }],
      ["exits", /it ended the process \(exit code 0\), first at sample 3/, {}],
      ["array_memory", /it used \d+ MB of memory, allowed are 256, first at sample 3/, { memoryBytes: 256 * 2 ** 20 }],
      ["heap_memory", /it (used \d+ MB of memory|ended the process \(.*out of memory), .*first at sample 3/, {
        memoryBytes: 128 * 2 ** 20,
      }],
    ] as const
  ) {
    const reward = userReward({ does, at: "bad" });
    const limited = { ...reward, limits: { ...reward.limits, ...limits } };
    await assert.rejects(scoreUserCode(limited, BATCH, STOP, host()), problem);
  }
});

test("scoreUserCode() refuses output on stdout, also when it looks like an answer", async () => {
  for (const does of ["stdout", "forged"]) {
    await assert.rejects(
      scoreUserCode(userReward({ does, at: "bad" }), BATCH, STOP, host()),
      /it wrote ".*" to stdout, where only answers belong.* sample 3/,
    );
  }
  await assert.rejects(
    scoreUserCode(userReward({ does: "huge", at: "bad" }), BATCH, STOP, host()),
    /it wrote "A{80}" to stdout/,
  );
});

test("scoreUserCode() keeps the token of its answers from the code's heap", async () => {
  // Each writes whatever looks like the token, before its text, to stdout: that would be taken for an answer.
  const reward = userReward({}, {}, "steals_token.js");
  assert.deepEqual(await scoreUserCode(reward, BATCH, STOP, host()), [0, 0, 0, 0]);
});

test("scoreUserCode() refuses forged answers that are no values", async () => {
  const reward = userReward({}, {}, "forges_answers.js");
  await assert.rejects(scoreUserCode(reward, BATCH, STOP, host()), /wrote ".*" to stdout, where only answers belong/);
});

test("scoreUserCode() gives the code no permission", async () => {
  const denied = [
    "reads",
    "reads_environment",
    "writes",
    "runs",
    "connects",
    "listens",
    "ffi",
    "signals",
    "fetches",
    "imports_npm",
    "imports_remote",
    "workers",
  ];
  const to = host();
  for (const does of denied) {
    const reward = userReward({ does, at: "bad" }, {});
    const limited = { ...reward, limits: { ...reward.limits, timeoutMs: does === "workers" ? 300 : 10_000 } };
    const values = await scoreUserCode(limited, BATCH, { onError: "drop", retries: 0 }, to);
    assert.deepEqual([does, values], [does, [1, 2, 3, null]]);
  }
  assert.equal(to.droppedSamples.length, denied.length);
  for (const [, reason] of to.droppedSamples) {
    assert.match(reason, /a reward (has no \w+ access|may not reach)|no answer|imports no packages/);
  }
});

test("scoreUserCode() opens the hosts that the workflow names and no others", async () => {
  const reasons: string[] = [];
  for (const net of [["127.0.0.1:1999"], ["127.0.0.1:2000"]]) {
    const to = host();
    const reward = userReward({ does: "connects", at: "bad" });
    await scoreUserCode({ ...reward, limits: { ...reward.limits, net } }, BATCH, { onError: "drop", retries: 0 }, to);
    reasons.push(to.droppedSamples[0]![1]);
  }
  assert.match(reasons[0]!, /ConnectionRefused/);
  assert.match(reasons[1]!, /may not reach "127.0.0.1:1999"; name the host in its entry, permissions: \{ net: /);
});

test("scoreUserCode() keeps one process between batches and hands on what it prints", async () => {
  const to = host();
  const reward = userReward({ does: "calls" });
  assert.deepEqual(await scoreUserCode(reward, BATCH, STOP, to), [1, 1, 1, 1]);
  assert.deepEqual(await scoreUserCode(reward, BATCH, STOP, to), [2, 2, 2, 2]);
  assert.deepEqual(await scoreUserCode(userReward({ does: "prints" }), BATCH, STOP, to), [1, 2, 3, 3]);
  await closeSandboxes("user_code");
  assert.match(to.printed.join(""), /scoring a\nscoring bb\n/);
});

test("scoreUserCode() keeps 256 KiB of what a run's code prints, whatever its processes print", async () => {
  const to = host();
  for (let batch = 0; batch < 3; batch++) {
    await scoreUserCode(userReward({ does: "floods_console" }), BATCH, STOP, to);
    await scoreUserCode(userReward({ does: "exits", at: "bad" }), BATCH, { onError: "drop", retries: 0 }, to);
  }
  const text = to.printed.join("");
  assert(text.length > 2 ** 18 && text.length < 2 ** 18 + 100, `${text.length}`);
  assert.equal(text.match(/the rest is not kept/g)!.length, 1);
});

test("scoreUserCode() retries in a fresh process and then stops", async () => {
  const to = host();
  const heals = userReward({ does: "second_call_throws" });
  for (let batch = 0; batch < 4; batch++) {
    assert.deepEqual(await scoreUserCode(heals, BATCH, { onError: "retry", retries: 1 }, to), [1, 1, 1, 1]);
  }
  await assert.rejects(scoreUserCode(heals, BATCH, { onError: "retry", retries: 0 }, to), "no attempt is left");
  const reward = userReward({ does: "exits", at: "bad" });
  await assert.rejects(scoreUserCode(reward, BATCH, { onError: "retry", retries: 2 }, to), /exit code 0.*sample 3/);
  assert.deepEqual(await scoreUserCode(userReward({}), BATCH, { onError: "retry", retries: 2 }, to), [1, 2, 3, 3]);
});

test("scoreUserCode() ends its process when the run is aborted", async () => {
  const run = new AbortController();
  await scoreUserCode(userReward({}), BATCH, STOP, { ...host(), signal: run.signal });
  run.abort();
  // The leak check of the test would find a process that goes on.
  await closeSandboxes("another run");
});
