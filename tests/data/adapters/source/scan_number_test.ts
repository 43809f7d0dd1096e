import assert from "node:assert/strict";
import { numberScan, scanNumber } from "../../../../data/adapters/source/scan_number.ts";

const scan = numberScan();

for (
  const text of [
    "0",
    "-0.0",
    "12",
    "0.08656957000494003",
    "6.916666666666667e-06",
    "1e-6",
    "-1.5E+3",
    ".5",
    "5.",
    "123456789012345678901234567890",
    "4.9e-324",
    "1.7976931348623157e308",
    "1e400",
    "0.1",
    "0.3",
    "1e22",
    "1e23",
    "9007199254740993",
    "2.2250738585072014e-308",
    "0.000001",
    "77.7e-22",
  ]
) {
  Deno.test(`scanNumber("${text}") agrees with Number to the last bit`, () => {
    assert(scanNumber(`x${text},`, 1, scan));
    assert(Object.is(scan.value, Number(text)), `${scan.value}`);
    assert.equal(scan.end, text.length + 1);
  });
}

Deno.test("scanNumber() agrees with Number on a thousand printed floats", () => {
  let state = 12345;
  const next = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
  for (let i = 0; i < 1000; i++) {
    const value = (next() - 0.5) * 10 ** Math.floor(next() * 40 - 20);
    for (const text of [String(value), value.toFixed(6), value.toPrecision(4), value.toExponential(3)]) {
      assert(scanNumber(text, 0, scan));
      assert(Object.is(scan.value, Number(text)), `${text}: ${scan.value}`);
    }
  }
});

Deno.test("scanNumber() counts decimals; an exponent has none", () => {
  for (const [text, decimals] of [["0.000", 3], ["12", 0], ["1e-5", -1], ["1.50", 2]] as const) {
    scanNumber(text, 0, scan);
    assert.equal(scan.decimals, decimals, text);
  }
});

for (
  const [text, value] of [["nan", NaN], ["-nan", NaN], ["NaN,", NaN], ["inf", Infinity], [
    "-Infinity}",
    -Infinity,
  ]] as const
) {
  Deno.test(`scanNumber("${text}") is ${value}`, () => {
    assert(scanNumber(text, 0, scan));
    assert.equal(scan.value, value);
  });
}

for (const text of ["", "-", ".", "e5", "nano", "info", "None", "x", "--1"]) {
  Deno.test(`scanNumber("${text}") is no number`, () => assert.equal(scanNumber(text, 0, scan), false));
}
