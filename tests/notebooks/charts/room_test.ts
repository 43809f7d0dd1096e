import assert from "node:assert/strict";
import { spanning } from "../../../notebooks/charts/room.ts";
import { finishSpec, toSvg } from "../../../notebooks/draw.ts";

/** The ends of y of a picture that has the mark and the values, as the axis' least and most tick. */
async function ends(values: readonly (number | null)[], room?: number): Promise<readonly [number, number]> {
  const y = { type: "quantitative", title: "y", scale: { zero: false } };
  const points = {
    mark: "point",
    encoding: { x: { field: "train_step", type: "quantitative" }, y: { field: "value", ...y } },
  };
  const rows = values.map((value, i) => ({ train_step: i, value }));
  const spec = finishSpec({ data: { values: rows }, layer: [points, spanning(y, room)] });
  const svg = await toSvg(spec, (text) => assert(values.includes(null), text)); // values that all are absent have no extent
  const [, least, most] = /with values from ([-−\d.]+) to ([-−\d.]+)/.exec(svg.slice(svg.indexOf("Y-axis")))!;
  return [Number(least!.replace("−", "-")), Number(most!.replace("−", "-"))];
}

const CASES: readonly [values: readonly (number | null)[], room: number | undefined, least: number, most: number][] = [
  [[0, 0], undefined, 0, 1],
  [[0.5, 0.5], undefined, 0.25, 0.75],
  [[-2, -2], undefined, -3, -1],
  [[1e-18, -2e-18], undefined, -0.5, 0.5],
  [[2, 2], 1e-6, 1, 3],
  [[0, 0], 4, 0, 4],
  [[-1, 1], 4, -2, 2],
  [[-1, -0.5], 4, -4, 0],
  [[5, 5.5], 2, 4.25, 6.25],
  [[1, 3], undefined, 1, 3],
  [[null, null], undefined, 0, 1],
];

for (const [values, room, least, most] of CASES) {
  Deno.test(`spanning() gives ${JSON.stringify(values)} with room ${room} a scale from ${least} to ${most}`, async () => {
    const [from, to] = await ends(values, room), step = (most - least) / 4; // "nice" ends lie a part of it beyond
    assert(from <= least && from > least - step && to >= most && to < most + step, `${from} to ${to}`);
  });
}
