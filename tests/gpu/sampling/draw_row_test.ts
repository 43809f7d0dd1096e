import assert from "node:assert/strict";
import { type Draw, drawRow } from "../../../gpu/sampling/draw_row.ts";
import { samplerKind } from "../../../gpu/sampling/options.ts";

function draw(row: readonly number[], uniform: number, suppress: number[] | null = null, at = 0): Draw {
  const into = { token: -1, drawn: -1, total: -1 }, rows = Float32Array.from([...Array(at).fill(row), row].flat());
  drawRow(rows, at, row.length, uniform, suppress && new Set(suppress), into);
  return into;
}

Deno.test("drawRow() takes the first token whose cumulative probability exceeds the uniform", () => {
  const row = [0, 0.25, 0, 0.5, 0.25, 0];
  for (const [uniform, token] of [[0, 1], [0.249, 1], [0.25, 3], [0.749, 3], [0.75, 4], [1 - 2 ** -24, 4]] as const) {
    assert.equal(draw(row, uniform).token, token, `${uniform}`);
    assert.equal(draw(row, uniform, null, 2).token, token, `${uniform} in row 2`);
  }
  assert.equal(draw(row, 0.3).drawn, 0.5);
});

Deno.test("drawRow() agrees with a plain cumulative sum over a vocabulary of several blocks", () => {
  const weights = Array.from({ length: 150 }, (_, i) => (i % 7 === 0 ? 0 : 1 + (i * 37) % 11));
  const total = weights.reduce((a, b) => a + b), row = weights.map((w) => Math.fround(w / total));
  for (let k = 0; k < 200; k++) {
    const uniform = (k + 0.5) / 200;
    let sum = 0;
    const want = weights.findIndex((w) => (sum += w) > uniform * total);
    assert.equal(draw(row, uniform).token, want);
  }
});

Deno.test("drawRow() never draws a suppressed token, and reports probabilities among the others", () => {
  const row = [0.125, 0.5, 0.125, 0.25];
  for (let k = 0; k < 50; k++) {
    const { token, drawn } = draw(row, k / 50, [1]);
    assert.notEqual(token, 1);
    assert.equal(drawn, row[token]! / 0.5);
  }
  assert.equal(draw(row, 0.24, [1]).token, 0);
  assert.equal(draw(row, 0.26, [1]).token, 2);
  assert.equal(draw([0.5, 0.5], 0.9, [1]).token, 0);
});

Deno.test("drawRow() draws among allowed tokens however small what they have together is", () => {
  const few = [1, 1e-20, 3e-20], many = [1, ...Array(96).fill(1e-19 / 96)];
  for (let k = 0; k < 96; k++) {
    const uniform = (k + 0.5) / 96, { token, drawn } = draw(few, uniform, [0]), want = uniform < 0.25 ? 0.25 : 0.75;
    assert.equal(token, want === 0.25 ? 1 : 2);
    assert(Math.abs(drawn - want) < 1e-6, `${drawn}, want ${want}`);
    const one = draw(many, uniform, [0]);
    assert.equal(one.token, 1 + k);
    assert(Math.abs(one.drawn * 96 - 1) < 1e-6, `${one.drawn}, want 1 in 96`);
  }
});

Deno.test("samplerKind() leaves the draw to JavaScript where it can read, and nothing filters or top-p sorts", () => {
  const plain = {
    temperature: 1,
    topK: 0,
    topP: 1,
    minP: 0,
    repetitionPenalty: 1,
    maxNewTokens: 1,
    eosIds: [],
    uniforms: () => 0,
  };
  assert.equal(samplerKind(plain, true).host, true);
  assert.equal(samplerKind({ ...plain, suppressIds: [3] }, true).host, true);
  for (const other of [{ temperature: 0.5 }, { topK: 2 }, { minP: 0.1 }, { repetitionPenalty: 2 }]) {
    assert.equal(samplerKind({ ...plain, ...other }, true).host, undefined);
  }
  const kind = samplerKind({ ...plain, topK: 2, topP: 0.5, minP: 0.1, temperature: 2 }, true);
  assert.deepEqual(kind.host, { topK: 2, topP: 0.5, minP: 0.1 });
  assert.deepEqual([kind.topK, kind.topP, kind.minP, kind.temperature], [0, false, false, true]);
  assert.equal(samplerKind({ ...plain, temperature: 0, topP: 0.5 }, true).host, undefined);
  assert.equal(samplerKind({ ...plain, topP: 0.5 }).host, undefined);
});
