/** GroupQueryAttention against attention written out. */
import assert from "node:assert/strict";
import { openRuntime } from "../../../gpu/session.ts";
import { distance, evaluate, numbers } from "./harness.ts";

const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
Deno.test.afterAll(() => runtime.release());

Deno.test("Value.groupQueryAttention() equals attention written out, in prefill and in the next step", async () => {
  const heads = 2, size = 16, tokens = 3, memory = 4, width = (heads + 2) * size;
  const qkv = numbers((tokens + 1) * width, 3);
  const step = async (count: number, cache: Record<string, number[]> | null) => {
    const rows = cache ? qkv.slice(tokens * width) : qkv.slice(0, tokens * width);
    const past = (key: string) =>
      ({
        dtype: "float32",
        shape: [1, 1, memory, size],
        data: cache?.[key] ?? numbers(memory * size, 9, 0, 0),
      }) as const;
    return await evaluate(
      runtime,
      {
        qkv: { dtype: "float32", shape: [1, rows.length / width, width], data: rows },
        k: past("k2"),
        v: past("v2"),
        seqlens: { dtype: "int32", shape: [1], data: [count - 1] },
        total: { dtype: "int32", shape: [1], data: [count] },
      },
      ({ qkv, k, v, seqlens, total }) => {
        const [y, k2, v2] = qkv!.groupQueryAttention({
          heads,
          kvHeads: 1,
          pastKey: k!,
          pastValue: v!,
          seqlens: seqlens!,
          total: total!,
        });
        return { y, k2, v2 };
      },
    );
  };
  const at = (token: number, from: number) => qkv.slice(token * width + from * size, token * width + (from + 1) * size);
  const attend = (token: number, head: number) => {
    const scores = Array.from(
      { length: token + 1 },
      (_, t) => at(token, head).reduce((s, q, i) => s + q * at(t, heads)[i]!, 0) / 4,
    );
    const weights = scores.map((s) => Math.exp(s)), total = weights.reduce((a, b) => a + b, 0);
    return Array.from(
      { length: size },
      (_, i) => weights.reduce((s, w, t) => s + (w / total) * at(t, heads + 1)[i]!, 0),
    );
  };
  const want = (token: number) => [...attend(token, 0), ...attend(token, 1)];
  const prefill = await step(tokens, null), next = await step(tokens + 1, prefill);
  assert(distance(prefill["y"]!, [0, 1, 2].flatMap(want)) < 1e-5, "prefill");
  assert(distance(next["y"]!, want(tokens)) < 1e-5, "decode");
});
