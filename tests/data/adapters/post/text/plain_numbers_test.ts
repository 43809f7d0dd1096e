import assert from "node:assert/strict";
import { plainNumbers } from "../../../../../data/adapters/post/text/plain_numbers.ts";

for (
  const [written, meant] of [
    ...["1×10⁻⁶", "1e−6", "1e‑6", "1×10^-6", "1·10⁻⁶", "1*10^-6", "1x10^-6", "1 x 10-6", "1e -6", "1.10⁻⁶", "10^-6"],
    ...["10⁻⁶", "10^{-6}", "10**-6", "1 \\times 10^{−6}", "1 × 10 ^ (-6)", "1⋅10^–6", "1E‑6"],
  ].map((written) => [`lr ${written}, then`, /E/.test(written) ? "lr 1E-6, then" : "lr 1e-6, then"]).concat([
    ["KL 5·10⁻⁷ 到 2.5×10²", "KL 5e-7 到 2.5e2"],
    ["2,5 × 10⁻⁴", "2,5e-4"],
    ["−3 und –3.5 → –.5 (‑7)", "-3 und -3.5 → -.5 (-7)"],
    ["| –4.2 | −inf |", "| -4.2 | -inf |"],
    ["from –4.2 to –0.3", "from -4.2 to -0.3"],
    ["from minus 4.2 to minus 0.3", "from -4.2 to -0.3"],
    ["de moins 4,2 à moins 0,3", "de -4,2 à -0,3"],
    ["de menos 4,2 a menos 0,3", "de -4,2 a -0,3"],
    ["с минус 4,2 до минус 0,3", "с -4,2 до -0,3"],
    ["从负4.2到负 0.3", "从-4.2到-0.3"],
    ["マイナス4.2から、마이너스 3", "-4.2から、-3"],
    ["per‑token KL", "per-token KL"],
    ["20 percent, 20 pour cent, 20 Prozent, 20 por ciento", "20 %, 20 %, 20 %, 20 %"],
    ["20 por cento, 20 процентов, 20 퍼센트, 20パーセント", "20 %, 20 %, 20 %, 20 %"],
    ["reward O.4755 kl O.OO2 entropy 0.6O1", "reward 0.4755 kl 0.002 entropy 0.601"],
    ["kl l2.6 entropy 0.6l", "kl 12.6 entropy 0.61"],
    ["百分之20, KL ∞", "20%, KL inf"],
  ])
) Deno.test(`plainNumbers() writes ${written} as ${meant}`, () => assert.equal(plainNumbers(written!), meant));

for (
  const text of [
    "steps 10–20",
    "0.1–0.5 and 3 –5",
    "the reward – 0.3 at first – falls",
    "au moins 5 étapes, al menos 3, más o menos 4, pelo menos 2",
    "plus minus 3, 10 minus 3, 正负3",
    "2 x 10 cards, 10-20 steps, 1x10",
    "2^10 and 4 x 10-20",
    "GPT–4 and step–3",
    "model 1e, e-6",
    "负责 moins de 3",
    "<think>the area is 10^{2}</think> \\boxed{10^{2} − 5}",
    "l2 norm, v0.l, GPT-4.o, No.5, 0.5 of it, model.layers.0.l, Qwen2.5l",
    "20 percentage points, 20 Prozentpunkte, 20 percentile",
  ]
) Deno.test(`plainNumbers() leaves "${text}"`, () => assert.equal(plainNumbers(text), text));

Deno.test("plainNumbers() is done soon on long lines of its own letters", () => {
  for (const part of ["10^", "1×10", "–", "1e -", "1.10", "10 ^ (", "moins ", "1 x "]) {
    assert(plainNumbers(part.repeat(20_000)).length > 0);
  }
});
