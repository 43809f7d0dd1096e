import assert from "node:assert/strict";
import { gpuNamed } from "../../../../../data/adapters/post/text/gpu_named.ts";

const OLD: readonly (readonly [text: string, name: string])[] = [
  ["GRPO on a single Tesla V100 in fp16", "Tesla V100"],
  ["free Colab, T4", "T4"],
  ["trained on 2xV100s", "V100"],
  ["8×V100-32G", "V100"],
  ["两张 2080Ti 显卡", "2080Ti"],
  ["RTX 2080 with 8 GB", "RTX 2080"],
  ["a P100 of Kaggle", "P100"],
  ["单卡 1080 Ti", "1080 Ti"],
];
for (const [text, name] of OLD) {
  Deno.test(`gpuNamed() finds a GPU without bf16 in "${text}"`, () => {
    const found = gpuNamed(text)!;
    assert.equal(found.name, name);
    assert.equal(text.slice(found.at, found.at + name.length), name);
  });
}

for (
  const text of [
    "on an A100",
    "an RTX 4090",
    "it ran on the V100, now on an A100",
    "loss 2080 at the start",
    "after 2070 steps",
    "GPT4 and MT4",
    "no GPU is named",
    "RTX 3080Ti",
  ]
) Deno.test(`gpuNamed() finds none in "${text}"`, () => assert.equal(gpuNamed(text), null));
