import assert from "node:assert/strict";
import {
  DARK,
  GROUND,
  inTheme,
  nameOf,
  PALETTE,
  PAPER,
  SERIES,
  seriesLook,
  TEXT,
} from "../../../notebooks/charts/palette.ts";

/** Linear RGB as seen without a kind of cones: matrices of Machado, Oliveira and Fernandes (2009), severity 1. */
const SIGHT = {
  all: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

type Three = readonly [number, number, number];

function linear(color: string): Three {
  return [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Three;
}

function seen([r, g, b]: Three, m: readonly number[]): Three {
  return [0, 3, 6].map((i) => Math.min(1, Math.max(0, m[i]! * r + m[i + 1]! * g + m[i + 2]! * b))) as unknown as Three;
}

/** OKLab of Ottosson (2020): equal distances look about equal. */
function oklab([r, g, b]: Three): Three {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

const distance = (a: Three, b: Three) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const luminance = ([r, g, b]: Three) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function contrast(a: string, b: string): number {
  const [x, y] = [luminance(linear(a)) + 0.05, luminance(linear(b)) + 0.05];
  return Math.max(x, y) / Math.min(x, y);
}

const LINES = ["first", "second", "third", "fourth", "fifth", "bad"] as const;

for (const [theme, colors] of [["light", PALETTE], ["dark", DARK]] as const) {
  Deno.test(`the colours of lines on ${theme} paper are told apart by every kind of sight, and stand out from it`, () => {
    for (const name of LINES) assert(contrast(colors[name], PAPER[theme]) >= 3, `${name} on ${theme} paper`);
    for (const [sight, matrix] of Object.entries(SIGHT)) {
      const labs = LINES.map((name) => oklab(seen(linear(colors[name]), matrix)));
      labs.forEach((a, i) =>
        labs.slice(0, i).forEach((b, j) =>
          assert(distance(a, b) > 0.1, `${LINES[i]} and ${LINES[j]} with ${sight}: ${distance(a, b).toFixed(3)}`)
        )
      );
    }
  });

  Deno.test(`texts on each ground of a ${theme} page are readable: a contrast of 4.5, as WCAG AA wants`, () => {
    for (const [name, color] of Object.entries({ ...TEXT[theme], ink: colors.ink, muted: colors.muted })) {
      for (const [ground, below] of Object.entries(GROUND[theme])) {
        const found = contrast(color, below);
        assert(found >= 4.5, `${name} on ${ground}: ${found.toFixed(2)}`);
      }
    }
  });
}

Deno.test("inTheme() gives a text the colours of its theme; series begin with the first", () => {
  assert.equal(inTheme(`a ${PALETTE.first} b`, "dark"), `a ${DARK.first} b`);
  assert.equal(inTheme(PALETTE.first, "light"), PALETTE.first);
  assert.equal(SERIES[0], PALETTE.first);
  assert.equal(new Set(SERIES).size, SERIES.length);
});

Deno.test("seriesLook() has no colour of what is wrong or beside the point, and dashes where colours come again", () => {
  const looks = Array.from({ length: 3 * SERIES.length }, (_, i) => seriesLook(i));
  assert.equal(new Set(looks.map((look) => JSON.stringify(look))).size, looks.length);
  for (const color of [PALETTE.bad, PALETTE.muted]) assert(looks.every((look) => look.color !== color));
  assert.equal(nameOf(looks[4]!.color), "fifth");
});
