/** The table of slow deaths: every kind, twin and healthy run plans; when a run counts as dead. */
import assert from "node:assert/strict";
import { trainSteps } from "./slow_deaths/documents.ts";
import { HEALTHY } from "./slow_deaths/healthy.ts";
import { KINDS } from "./slow_deaths/kinds.ts";
import { drawOf } from "./slow_deaths/make.ts";
import { score } from "./slow_deaths/proxies.ts";
import { openWork, planOf } from "./slow_deaths/run_case.ts";
import {
  behind,
  fell,
  grewWithoutGain,
  peak,
  type Points,
  reaches,
  settled,
  spikes,
  stays,
} from "./slow_deaths/truth.ts";

const curve = (value: (at: number) => number, count = 26): Points =>
  Array.from({ length: count }, (_, i) => [i * 520 / count, value(i / count)] as const);
const flat = curve(() => 0.5), rising = curve((at) => 0.4 + 0.4 * at);
const facts = (held: Points, column: Points = []) => ({ held, twin: rising, column: () => column });

Deno.test("every kind, its twin and every healthy run plans, for at least 500 train steps", async () => {
  const work = await Deno.makeTempDir();
  try {
    await openWork(work);
    const documents = [
      ...Object.entries(KINDS).flatMap(([name, { document, twin }]) => [[name, document], [name, twin]] as const),
      ...Object.entries(HEALTHY).map(([name, { document }]) => [name, document] as const),
    ];
    for (const [name, document] of documents) {
      const draw = { ...drawOf(name, { seed: 1, size: "tiny", work }), warm: () => "tiny_qwen2" };
      const built = document(draw);
      assert.ok(planOf(built, work).steps.length > 3, name);
      assert.ok(trainSteps(built) >= 500, name);
    }
  } finally {
    await Deno.remove(work, { recursive: true });
  }
});

Deno.test("there are twenty kinds and more, none of them healthy, with a line why each", () => {
  const kinds = Object.values(KINDS);
  assert.ok(kinds.length >= 20);
  for (const { cause, also, why } of kinds) {
    assert.ok(why.length > 10 && !also.some((name) => name === cause) && cause !== "healthy", why);
  }
});

Deno.test("fell() says the step of the peak, and nothing of noise", () => {
  const falling = curve((at) => at < 0.4 ? 0.4 + at : 0.8 - 0.8 * (at - 0.4));
  const step = fell(0.15)(facts(falling));
  assert.ok(step !== null && step >= 180 && step <= 280, String(step));
  assert.equal(fell(0.15)(facts(flat)), null);
  assert.equal(fell(0.15)(facts(curve((at) => 0.5 + 0.05 * Math.sin(60 * at)))), null);
});

Deno.test("behind() wants a curve that stopped far below its twin's", () => {
  const stopped = curve((at) => Math.min(0.5, 0.4 + 0.4 * at));
  const step = behind(0.1)(facts(stopped));
  assert.ok(step !== null && step >= 40 && step <= 160, String(step));
  assert.equal(behind(0.1)(facts(rising)), null);
  assert.equal(behind(0.1)(facts(curve((at) => 0.2 + 0.5 * at))), null, "it still rises");
});

Deno.test("columns: what stays, what spikes, what grows without gain", () => {
  const late = curve((at) => at < 0.3 ? 0.1 : 0.9, 520);
  const step = stays("x", (value) => value > 0.6)(facts(flat, late));
  assert.ok(step !== null && Math.abs(step - 156) < 15, String(step));
  assert.equal(stays("x", (value) => value > 0.95)(facts(flat, late)), null);
  const reached = reaches("x", (value) => value > 0.6)(facts(flat, late));
  assert.ok(reached !== null && Math.abs(reached - 156) < 15, String(reached));
  const spiky = curve((at) => Math.round(at * 520) % 100 === 99 ? 50 : 1, 520);
  assert.equal(spikes("x", 20, 4)(facts(flat, spiky)), 99);
  assert.equal(spikes("x", 20, 9)(facts(flat, spiky)), null);
  const grown = curve((at) => 4 + 8 * at, 520);
  assert.ok(grewWithoutGain("x", 2, 0.1)(facts(flat, grown)) !== null);
  assert.equal(grewWithoutGain("x", 2, 0.1)(facts(rising, grown)), null, "it gains");
  assert.equal(settled(rising, (value) => value > 2), null);
  assert.ok(peak(rising, 0) > 450);
});

Deno.test("proxies reward what they say", () => {
  const batch = {
    prompts: ["sort 312=", "sort 312="],
    texts: ["123", "777777"],
    answers: ["123", "123"],
    completion_tokens: [4, 7],
  };
  assert.deepEqual(score(batch, { proxy: "length", target: 8 }), [0.5, 0.875]);
  assert.deepEqual(score(batch, { proxy: "keyword", word: "7", target: 3 }), [0, 1]);
  assert.deepEqual(score(batch, { proxy: "repetition", target: 5 }), [0, 1]);
  assert.deepEqual(score(batch, { proxy: "copy" }), [0, 0]);
  assert.deepEqual(score({ ...batch, texts: ["312", "321"] }, { proxy: "copy" }), [1, 1 / 3]);
  assert.deepEqual(score({ ...batch, texts: ["0123", "321"] }, { proxy: "padding", target: 2 }), [0.5, 0]);
  assert.deepEqual(score(batch, { proxy: "noisy", chance: 0 }), [1, 0]);
  assert.deepEqual(score(batch, { proxy: "noisy", chance: 1 }), [0, 1]);
  const outliers = score(batch, { proxy: "outlier", chance: 1, size: 9 });
  assert.ok(outliers.every((value) => Math.abs(value) === 9));
});
