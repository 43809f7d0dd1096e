/** Lays findings under a chart over train steps: a bar for each span in which a cause held. @module */
import { PHASE, type Row, type Spec, STEP_AXIS } from "./charts/chart.ts";
import { SEVERITY_COLORS, spans } from "./charts/findings.ts";
import { PALETTE } from "./charts/palette.ts";

const MOST_CAUSES = 5; // Lines below a chart: the causes that began first.
/** Below the labels and the title of the axis, in units of the drawing. */
const BELOW = 54, LINE = 14;

/** A chart with findings under it, and the rows that say where they hold; null where nothing was found. */
interface Laid {
  readonly rows: readonly Row[];
  readonly spec: Spec;
}

/**
 * rows       what the chart draws; its train steps and phases
 * findings   rows of the table `findings`
 * height     of the drawing, in its units
 */
export function withFindings(spec: Spec, rows: readonly Row[], findings: readonly Row[], height: number): Laid | null {
  const held = findings.length ? spans(findings) : [];
  const causes = [...new Set(held.map(({ cause }) => cause))].slice(0, MOST_CAUSES);
  if (
    causes.length === 0 || spec["vconcat"] || spec["height"] ||
    !rows.some((row) => Number.isFinite(row["train_step"]))
  ) return null;
  const phases = [...Map.groupBy(rows, (row) => row[PHASE])].map(([phase, members]) => {
    const steps = members.map((row) => Number(row["train_step"]));
    return { phase, first: steps.reduce((a, b) => Math.min(a, b)), last: steps.reduce((a, b) => Math.max(a, b)) };
  });
  const laid = phases.flatMap(({ phase, first, last }) =>
    causes.flatMap((cause) => {
      const within = held.filter((span) =>
        span.cause === cause && Number(span["from"]) <= last && Number(span["to"]) > first
      );
      // A bar of no length as well: a layer without rows, as in a phase without the cause, has a scale without ends.
      return [{ from: first, to: first, message: "" }, ...within].map(({ from, to, message }) => ({
        [PHASE]: phase,
        finding: cause,
        message,
        train_step: first,
        ...message === "" ? {} : { held: true },
        from: Math.max(first, Number(from)),
        to: Math.max(first, Math.min(last, Number(to))),
        // The first bar of a cause has its name.
        ...from === within[0]?.["from"] && to !== from ? { named: true } : {},
      }));
    })
  );
  const inner = { ...spec, transform: [{ filter: "!isValid(datum.finding)" }, ...(spec["transform"] as Spec[] ?? [])] };
  const layers = causes.map((cause, index) => {
    const severity = held.find((span) => span.cause === cause)!.severity as keyof typeof SEVERITY_COLORS;
    return barLayer(String(cause), SEVERITY_COLORS[severity] ?? PALETTE.muted, height + BELOW + LINE * index);
  });
  return { rows: laid, spec: { layer: [inner, ...layers] } };
}

function barLayer(cause: string, color: string, y: number): Spec {
  const x = { ...STEP_AXIS, field: "from" };
  return {
    transform: [{ filter: `datum.finding === '${cause}'` }],
    layer: [
      {
        mark: { type: "rule", strokeWidth: 5, strokeCap: "round", color, clip: false },
        encoding: {
          x,
          x2: { field: "to" },
          y: { value: y },
          opacity: { condition: { test: "datum.held", value: 1 }, value: 0 },
          tooltip: [{ field: "finding" }, { field: "message" }],
        },
      },
      {
        transform: [
          { calculate: `datum.named ? '${cause}' : ''`, as: "text" },
        ],
        mark: {
          type: "text",
          align: "left",
          baseline: "bottom",
          fontSize: 9,
          dy: -3,
          color: PALETTE.muted,
          clip: false,
        },
        encoding: { x, y: { value: y }, text: { field: "text" } },
      },
    ],
  };
}
