import assert from "node:assert/strict";
import { modelConfig } from "../../../gpu/models/config.ts";
import { Batch, type Draft } from "../../../gpu/sampling/batch.ts";
import { Scope } from "../../../gpu/sampling/scope.ts";
import { cpuRuntime } from "../golden_model.ts";
import { plainConfig } from "../models/plain_config.ts";

const KIND = { greedy: false, temperature: false, topK: 0, topP: false, minP: false, repetitionPenalty: true };
const CONFIG = { vocabSize: 10, vision: null };
const draft = (ended = false): Draft => ({ tokens: [], samplerLogprobs: [], logprobs: [], ended });

async function withScope(body: (scope: Scope) => void): Promise<void> {
  const runtime = await cpuRuntime(), scope = new Scope(runtime);
  body(scope);
  scope.release();
  runtime.release();
}

Deno.test("Batch collects tokens, ends rows at an end of sequence, and lengthens only those that go on", async () => {
  await withScope((scope) => {
    const batch = new Batch([0, 1, 2], CONFIG, KIND, scope), drafts = [draft(), draft(), draft()];
    [[1, 2], [3], [4, 5, 6]].forEach((prompt, row) => batch.setPrompt(row, prompt));
    (batch.ids.data as BigInt64Array).set([7n, 9n, 8n]);
    assert.equal(batch.collect(drafts, new Set([9])), 2);
    assert.deepEqual(drafts.map(({ tokens, ended }) => [tokens[0], ended]), [[7, false], [9, true], [8, false]]);
    batch.advance(drafts);
    assert.deepEqual([...batch.seqlens.data], [2, 0, 3]);
    assert.deepEqual([...batch.total.data], [4]);
    assert.equal(batch.collect(drafts, new Set()), 2);
    assert.deepEqual(drafts.map(({ tokens }) => tokens.length), [2, 1, 2]);
    const seen = batch.seen!.data as Uint8Array;
    assert.deepEqual([...seen.subarray(0, 10)], [0, 1, 1, 0, 0, 0, 0, 1, 0, 0]);
    assert.deepEqual([...seen.subarray(10, 20)], [0, 0, 0, 1, 0, 0, 0, 0, 0, 1]);
  });
});

Deno.test("Batch.halved() waits until a power of two fits half the rows, and fills up with the first", async () => {
  await withScope((scope) => {
    const drafts = [draft(true), draft(), draft(true), draft(true), draft(), draft(true), draft(), draft(true)];
    const batch = new Batch([0, 1, 2, 3, 4, 5, 6, 7], CONFIG, KIND, scope);
    assert.equal(batch.halved(drafts, 5), null);
    const half = batch.halved(drafts, 3)!;
    assert.deepEqual(half, { source: [1, 4, 6, 1], kept: 3 });
    (batch.ids.data as BigInt64Array).set([0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n]);
    (batch.seen!.data as Uint8Array)[4 * 10 + 5] = 1;
    const small = batch.select(half, KIND, scope);
    assert.deepEqual(small.rows, [1, 4, 6, -1]);
    assert.deepEqual([...small.ids.data].map(Number), [1, 4, 6, 1]);
    assert.equal((small.seen!.data as Uint8Array)[10 + 5], 1);
    small.collect(drafts, new Set());
    assert.deepEqual(drafts.map(({ tokens }) => tokens.length), [0, 1, 0, 0, 1, 0, 1, 0]);
  });
});

Deno.test("Batch.fillUniforms() asks for the draws of its rows and keeps them below 1", async () => {
  await withScope((scope) => {
    const batch = new Batch([5, -1, 2], CONFIG, KIND, scope), asked: number[][] = [];
    batch.fillUniforms((row, token) => {
      asked.push([row, token]);
      return row === 5 ? 0.25 : 1 - 1e-12;
    }, 3);
    assert.deepEqual(asked, [[5, 3], [2, 3]]);
    assert.deepEqual([...batch.uniforms.data], [0.25, 0, 1 - 2 ** -24]);
  });
});

Deno.test("Batch keeps how far positions are from places where images stand before them, also in half the rows", async () => {
  await withScope((scope) => {
    const config = modelConfig(plainConfig("qwen2_vl")), drafts = [draft(true), draft(), draft(true), draft()];
    const batch = new Batch([0, 1, 2, 3], config, KIND, scope);
    [7, 4, 9, 5].forEach((next, row) => batch.setPrompt(row, Array(9).fill(1), next));
    const places = ({ places }: Batch) => Array.from(places!.data as BigInt64Array, Number);
    batch.advance(drafts);
    assert.deepEqual([[...batch.seqlens.data], places(batch)], [[8, 9, 8, 9], [6, 4, 8, 5]]);
    const half = batch.select(batch.halved(drafts, 2)!, KIND, scope);
    half.advance(drafts);
    assert.deepEqual([[...half.seqlens.data], places(half)], [[10, 10], [5, 6]]);
  });
});
