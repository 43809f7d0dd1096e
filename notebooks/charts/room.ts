/** Gives the scale of y some room, where the values of a chart have none. @module */
import { PHASE, type Spec } from "./chart.ts";

/** What float64 leaves of a difference that is none. */
const NOISE = 1e-12;

/**
 * An invisible mark around the middle of a phase's values, which lie from the field `low` to `high`: y spans `room` at
 * least, and does not leave their side of 0. Values that are all equal, but for the noise of float64, are given as much as
 * they are large, or 1 beside 0 where there is no `room`.
 */
export function spanning(y: Spec, room?: number, [low, high]: readonly [string, string] = ["value", "value"]): Spec {
  const size = "max(abs(datum.lowest), abs(datum.highest))", middle = "(datum.lowest + datum.highest) / 2";
  return {
    transform: [
      {
        aggregate: [{ op: "min", field: low, as: "least" }, { op: "max", field: high, as: "most" }],
        groupby: [PHASE],
      },
      { calculate: "isValid(datum.least) ? datum.least : 0", as: "lowest" },
      { calculate: "isValid(datum.most) ? datum.most : 0", as: "highest" },
      {
        calculate: `!isValid(datum.least) ? 1 : ${size} <= ${NOISE} ? ${room ?? 1} : ` +
          `datum.highest - datum.lowest > ${NOISE} * ${size} ? ${room ?? 0} : max(${room ?? 0}, ${size})`,
        as: "room",
      },
      {
        calculate: `datum.lowest >= 0 ? max(0, ${middle} - datum.room / 2) : ` +
          `datum.highest <= 0 ? min(0, ${middle} + datum.room / 2) - datum.room : ${middle} - datum.room / 2`,
        as: "from",
      },
      { calculate: "datum.from + datum.room", as: "to" },
    ],
    mark: { type: "rule", opacity: 0, aria: false },
    encoding: { y: { field: "from", ...y }, y2: { field: "to" } },
  };
}
