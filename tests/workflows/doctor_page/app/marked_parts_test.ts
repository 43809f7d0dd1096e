import assert from "node:assert/strict";
import { markedParts, type Proof } from "../../../../workflows/doctor_page/app/marked_parts.ts";

const marked = (text: string, ...words: string[]) => shown(text, words.map((name) => ({ name })));

const shown = (text: string, proofs: readonly Proof[]) =>
  markedParts(text, proofs).map(({ text, marked }) => marked ? `[${text}]` : text).join("");

Deno.test("markedParts() marks a name with its value, as each system writes it", () => {
  assert.equal(marked("{'reward': 0.25, 'kl': nan, 'a': 1}", "kl"), "{'reward': 0.25, '[kl': nan], 'a': 1}");
  assert.equal(marked("step:3 - actor/entropy:0.01 - x:1", "actor/entropy"), "step:3 - [actor/entropy:0.01] - x:1");
  assert.equal(marked("| reward_std | 0.0 |", "reward_std"), "| [reward_std | 0.0] |");
  assert.equal(marked("kl_max: 6,821,680,128.0", "kl_max"), "[kl_max: 6,821,680,128.0]");
  assert.equal(marked("export MODEL_PATH=a/b-c \\", "MODEL_PATH"), "export [MODEL_PATH=a/b-c] \\");
});

Deno.test("markedParts() takes a name for itself alone, each once, and leaves the text whole", () => {
  assert.equal(marked("kl_max: 3, kl: 1, kl: 2", "kl"), "kl_max: 3, [kl: 1], kl: 2");
  assert.equal(marked("approx_kl: 3, actor/kl: 2, kl: 1", "kl"), "approx_kl: 3, actor/kl: 2, [kl: 1]");
  assert.equal(marked("a: 1, b: 2", "b", "a", "a", "c"), "[a: 1], [b: 2]");
  for (const text of ["", "x", "<b onclick=1>a: 1</b>"]) {
    assert.equal(markedParts(text, [{ name: "a" }, { name: "x" }]).map((part) => part.text).join(""), text);
  }
});

Deno.test("markedParts() marks the number that is told, not the words around it", () => {
  const told: readonly [text: string, name: string, value: number, want: string][] = [
    ["critic/score/mean 从 0.3 升到 0.52，", "critic/score/mean", 0.52, "critic/score/mean 从 0.3 升到 [0.52]，"],
    ["the reward rises to 0.4 from 0.2", "reward", 0.4, "the reward rises to [0.4] from 0.2"],
    ["KL entre 0,02 et 0,05", "kl", 0.05, "KL entre 0,02 et [0,05]"],
    ["accuracy fell to 41.75 %, then 6.75%", "accuracy", 0.0675, "accuracy fell to 41.75 %, then [6.75%]"],
    ["the loss went NaN at 30", "loss", NaN, "the loss went [NaN] at 30"],
    ["reward 0.5, kl 1,024", "kl", 1024, "reward 0.5, [kl 1,024]"],
    ["the reward never moves", "reward", 0.3, "the [reward] never moves"],
    ["step 1: entropy 0.38. step 2: entropy 3.9.", "entropy", 3.9, "step 1: entropy 0.38. step 2: [entropy 3.9]."],
    ["шаг 100: reward 0,41, pass", "reward", 0.41, "шаг 100: [reward 0,41], pass"],
    ["{'kl': 0.5, 'kl_max': 1.0}", "kl", 0.25, "{'[kl': 0.5], 'kl_max': 1.0}"],
    ["no such thing", "reward", 0.3, "no such thing"],
  ];
  for (const [text, name, value, want] of told) assert.equal(shown(text, [{ name, value }]), want);
});

Deno.test("markedParts() marks the clause of a claim", () => {
  const claim = { name: "reward rises", value: "the reward rises all the time" };
  assert.equal(shown("Hm: the reward rises all the time, but", [claim]), "Hm: [the reward rises all the time], but");
  const short = { name: "grad_norm zero", value: "梯度一直是 0" };
  assert.equal(shown("检测任务，梯度一直是 0", [short]), "检测任务，[梯度一直是 0]");
  const cut = { name: "reward rises", value: "the reward rises…" };
  assert.equal(shown("Hm: the reward rises all the time", [cut]), "Hm: [the reward rises] all the time");
  assert.equal(shown("export MODEL=a/b-c/d", [{ name: "MODEL", value: "a/b-c/d" }]), "export [MODEL=a/b-c/d]");
});

Deno.test("markedParts() looks through a long line of numbers at once", () => {
  for (const text of ["1,".repeat(200_000), "1.".repeat(200_000), "11111111,".repeat(50_000), "-".repeat(400_000)]) {
    assert.equal(markedParts(text, [{ name: "x", value: 7 }]).map((part) => part.text).join(""), text);
  }
});
