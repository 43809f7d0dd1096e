import assert from "node:assert/strict";
import { oneBoxReward } from "../../../../steps/rewards/visual_rft/one_box.ts";

const score = (text: string) => oneBoxReward(`<think>t</think><answer>${text}</answer>`, "(0,0),(100,100)");

Deno.test("oneBoxReward() is GIoU + 1: 2 for the same, a third more than 1 for half of it, 0 for none", () => {
  assert.equal(score("( 0 , 0 ) , (100,100)"), 2);
  assert(Math.abs(score("(50,0),(150,100)") - 4 / 3) < 1e-15);
  assert.equal(score("none"), 0);
});

Deno.test("oneBoxReward() pays for swapped corners, and reads two boxes as one", () => {
  assert.equal(score("(100,100),(0,0)"), 2);
  // Read as (0,0),(300,300): a ninth of it is shared.
  assert(Math.abs(score("(0,0),(100,100) (300,300),(400,400)") - (1 / 9 + 1)) < 1e-15);
});

Deno.test("oneBoxReward() reads the digits of every script, as Python does", () => {
  assert.equal(score("(٠,٠),(١٠٠,1٠0)"), 2);
  // Mathematical digits follow one another in five alphabets: these are 1, 0, 0 of the last.
  assert.equal(score("(0,0),(\u{1d7f7}\u{1d7f6}\u{1d7f6},100)"), 2);
});

Deno.test("oneBoxReward() reads a box with Python's white space in it", () => {
  const box = (space: string) => `(0,${space}0)${space},(100,100)`;
  assert.equal(oneBoxReward(box("\x1c"), "(0,0),(100,100)"), 2);
  assert.equal(oneBoxReward(box("\ufeff"), "(0,0),(100,100)"), 0);
});
