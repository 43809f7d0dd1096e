import assert from "node:assert/strict";
import { once } from "node:events";
import { Worker } from "node:worker_threads";

Deno.test("the worker loads a file, answers by number, and says why a file does not load", async () => {
  const worker = new Worker(new URL("../../../../steps/rewards/sandbox/worker.ts", import.meta.url));
  const asked = async (request: { readonly number: number; readonly [key: string]: unknown }) => {
    worker.postMessage(request);
    const [[number, reply]] = await once(worker, "message") as [[number, string]];
    return [number, JSON.parse(reply)];
  };
  const load = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
  assert.deepEqual(await asked({ number: 1, load: load("export const score = ({ texts }) => texts.map(() => 7)") }), [
    1,
    { values: [] },
  ]);
  const batch = { texts: ["a", "b"], rows: [{}, {}] };
  assert.deepEqual(await asked({ number: 5, batch, options: {} }), [5, { values: [7, 7] }]);
  const [, { failure }] = await asked({ number: 6, load: load("export const score = (") }) as [
    number,
    { failure: string },
  ];
  assert.match(failure, /SyntaxError|expected/i);
  const rejects = "export const score = () => (Promise.reject(new Error('no await')), [1, 2])";
  await asked({ number: 7, load: load(rejects) });
  const told = { failure: "threw Error: no await outside of its function" };
  assert.deepEqual(await asked({ number: 8, batch, options: {} }), [8, told], "before its answer");
  await worker.terminate();
});

Deno.test("an answer that comes after its failure leaves the next one's request alone", async () => {
  const worker = new Worker(new URL("../../../../steps/rewards/sandbox/worker.ts", import.meta.url));
  const messages: [number, string][] = [];
  worker.on("message", (message: [number, string]) => messages.push(message));
  const until = async (count: number) => {
    while (messages.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    return messages.map(([number, reply]) => [number, Object.keys(JSON.parse(reply))[0]]);
  };
  const code = `export const score = async ({ texts }) => {
    setTimeout(() => { throw new Error("stray"); }, texts[0] === "slow" ? 10 : 200);
    await new Promise((resolve) => setTimeout(resolve, texts[0] === "slow" ? 100 : 300));
    return [1];
  };`;
  worker.postMessage({ number: 1, load: `data:text/javascript,${encodeURIComponent(code)}` });
  await until(1);
  worker.postMessage({ number: 2, batch: { texts: ["slow"], rows: [{}] }, options: {} });
  await until(2);
  worker.postMessage({ number: 3, batch: { texts: ["next"], rows: [{}] }, options: {} });
  // 2 fails, answers too late; 3 fails under its own number, though 2 has ended meanwhile.
  assert.deepEqual((await until(5)).slice(1), [[2, "failure"], [2, "values"], [3, "failure"], [3, "values"]]);
  await worker.terminate();
});
