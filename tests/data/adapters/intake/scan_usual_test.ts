import assert from "node:assert/strict";
import { scanDict } from "../../../../data/adapters/intake/scan_dict.ts";
import { scanUsual } from "../../../../data/adapters/intake/scan_usual.ts";
import { Stage } from "../../../../data/adapters/intake/stage.ts";
import { uniform } from "../../../../data/random.ts";

/** A stage that has read these, the last one with `scan`. */
function after(first: readonly string[], text: string, at: number, scan: typeof scanUsual): [number, Stage] {
  const stage = new Stage();
  for (const one of first) {
    stage.reset();
    scanDict(one, 0, stage);
  }
  stage.reset();
  return [scan(text, at, stage), stage];
}

const seen = ({ infos, values, decimals, ats, count }: Stage) =>
  infos.slice(0, count).map(({ printed }, i) => [printed, values[i], decimals[i], ats[i]]);

const FIRST = "{'loss': 0.5, 'kl': nan, 'step': '3'}";

for (
  const text of [
    "{'loss': 0.25, 'kl': 1e-05, 'step': '4'}",
    "{'loss': -0.0, 'kl': -inf, 'step': \"-4.5\"} tail",
    "{  'loss': 12,'kl': 0.1234567890123456789, 'step': 9007199254740993}",
    "{'loss': .5, 'kl': 5., 'step': +1}",
    "{'loss': 3.0e+2, 'kl': 0.7369863155337629, 'step': 123456789012345678901234567890}",
    "{'loss': 0.0000000000000000000000001, 'kl': 1, 'step': 2}",
  ]
) {
  Deno.test(`scanUsual() reads ${text} as scanDict() does`, () => {
    for (const prefix of ["", "[INFO] "]) {
      const [end, stage] = after([FIRST], prefix + text, prefix.length, scanUsual);
      const [wanted, other] = after([FIRST], prefix + text, prefix.length, scanDict);
      assert.equal(end, wanted);
      assert.deepEqual(seen(stage), seen(other));
    }
  });
}

for (
  const text of [
    "{'loss': 0.5, 'kl': 1, 'epoch': 3}",
    "{'loss': 0.5, 'kl': 1, 'step': '3', 'epoch': 3}",
    "{'loss': 0.5, 'kl': 1}",
    "{'loss': 0.5, 'kl': None, 'step': 3}",
    "{'loss': 0.5, 'kl': 'x', 'step': 3}",
    "{'loss': 0.5, 'kl': '1, 'step': 3}",
    "{'loss': 0.5, 'kl': 1 , 'step': 3}",
    "{'loss': 0.5, 'kl': 1e, 'step': 3}",
    "{'loss': 0.5, 'kl': 1, 'step': 3",
    "{'loss': 0.5, 'kl': 1, 'st",
    "{}",
    "x'loss': 0.5, 'kl': 1, 'step': 3}",
    "{'loss': 0.5, 'kl': 1, 'step': 3} é",
  ]
) {
  Deno.test(`scanUsual() leaves ${text} to scanDict()`, () => {
    const [end] = after([FIRST], text, 0, scanUsual);
    const [wanted] = after([FIRST], text, 0, scanDict);
    assert(end === -1 || end === wanted, `${end}`);
    if (!text.startsWith("{'loss': 0.5, 'kl': 1}")) assert.equal(end, -1);
  });
}

Deno.test("scanUsual() reads two kinds of records that take turns, and nothing before the first", () => {
  const other = "{'eval_loss': 1, 'kl': 2, 'step': 3}";
  for (const text of [FIRST, other]) assert.equal(after([FIRST, other], text, 0, scanUsual)[0], text.length);
  assert.equal(after([], FIRST, 0, scanUsual)[0], -1);
});

Deno.test("scanUsual() reads no value of the record before it that was longer", () => {
  const long = "{'loss': 0.123456789, 'kl': 1.5, 'step': 100}", cut = "{'loss': 0.5, 'kl': 1.5, 'step': 1";
  const stage = new Stage();
  scanDict(long, 0, stage);
  stage.reset();
  assert.equal(scanUsual(long, 0, stage), long.length);
  stage.reset();
  assert.equal(scanUsual(cut, 0, stage), -1);
});

Deno.test("scanUsual() agrees with Number to the last bit on printed floats of every size", () => {
  const stage = new Stage();
  scanDict("{'a': 1}", 0, stage);
  for (let i = 0; i < 3000; i++) {
    const value = (uniform(0, "usual", 0, 0, i) - 0.5) * 10 ** (i % 40 - 20);
    for (const printed of [String(value), value.toFixed(6), value.toPrecision(16), value.toPrecision(17)]) {
      stage.reset();
      assert.equal(scanUsual(`{'a': ${printed}}`, 0, stage), printed.length + 7);
      assert(Object.is(stage.values[0], Number(printed)), printed);
    }
  }
});
