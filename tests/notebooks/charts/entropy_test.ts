import assert from "node:assert/strict";
import { checkChart, ticksOf } from "./check_chart.ts";

Deno.test("chart entropy draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("entropy"), /train step/);
});

Deno.test("chart entropy does not zoom into a noise, does not go below 0, and shows a fall as large as it is", async () => {
  const span = async (values: readonly number[]) => {
    const ticks = await ticksOf("entropy", "entropy", values);
    return [Math.min(...ticks), Math.max(...ticks)] as const;
  };
  const noise = Array.from({ length: 40 }, (_, i) => 2 + 0.001 * ((i * 7) % 10));
  const [low, high] = await span(noise);
  assert(high - low >= 0.15, `${low} to ${high}`);
  assert(low < 2 && high > 2.009);
  assert((await span(noise.map((x) => x - 1.99)))[0] >= 0);
  const [least, most] = await span([5, 4, 3, 2, 1]);
  assert(least <= 1 && least >= 0.5 && most >= 5 && most <= 5.5, `${least} to ${most}`);
});
