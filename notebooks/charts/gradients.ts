/** Chart of the gradient norm of every parameter over train steps, as a heat map. @module */
import { type Chart, type Row, SCALE_LEGEND, type Spec, unitOf } from "./chart.ts";
import { PALETTE, SEQUENTIAL } from "./palette.ts";
import { listedBins, STEP_RANGE } from "./step_rows.ts";

const MOST_ROWS = 32; // Parameters that get a line of their own; beyond, those of a layer are one.

export const gradients: Chart = {
  title: "Gradient norm per parameter",
  about:
    "L2 norm of the gradient of each parameter tensor, on a logarithmic scale; grey where it is exactly 0, red where it " +
    "is not finite. A row that is grey has no path to the loss; one that outshines the others alone is exploding.",
  onlyWhereThere: true,
  sources: [{
    reads: "gradients",
    needs: ["train_step", "parameter", "grad_norm"],
    uses: ["non_finite"],
    rows: cells,
    spec: (_, rows): Spec => ({
      height: 14 * new Set(rows.map((row) => row["parameter"])).size,
      encoding: {
        ...STEP_RANGE,
        y: { field: "parameter", type: "nominal", title: null, sort: null, axis: { labelLimit: 200, ticks: false } },
      },
      layer: [
        ...rows.some((row) => row["grad_norm"] === 0) ? [ZERO] : [],
        ...rows.some((row) => row["broken"]) ? [BROKEN] : [],
        ...rows.some((row) => Number(row["grad_norm"]) > 0) ? [POSITIVE] : [],
      ],
    }),
  }],
};

const WHERE = [{ field: "parameter" }, { field: "from", title: "train step" }];
const NORM = [...WHERE, { field: "grad_norm", type: "quantitative", title: "gradient norm", format: ".3g" }];

const ZERO: Spec = {
  transform: [{ filter: "datum.grad_norm === 0" }],
  mark: { type: "rect", color: PALETTE.grid },
  encoding: { tooltip: NORM },
};
const BROKEN: Spec = {
  transform: [{ filter: "datum.broken" }],
  mark: { type: "rect", color: PALETTE.bad },
  encoding: { tooltip: WHERE },
};
const POSITIVE: Spec = {
  transform: [{ filter: "isValid(datum.grad_norm) && datum.grad_norm > 0" }],
  mark: "rect",
  encoding: {
    tooltip: NORM,
    color: {
      field: "grad_norm",
      type: "quantitative",
      title: unitOf("gradients", "grad_norm", "norm"),
      scale: { type: "log", scheme: SEQUENTIAL },
      legend: { ...SCALE_LEGEND, format: ".1g" },
    },
  },
};

/** One row per parameter (or layer) and bin of train steps: the root of the mean square of its norms. */
function cells(rows: readonly Row[]): Row[] {
  const names = [...new Set(rows.map((row) => String(row["parameter"])))];
  const nameOf = names.length > MOST_ROWS ? (name: string) => shortName(layerOf(name)) : shortName;
  return listedBins(rows).flatMap(({ from, to, members }) =>
    [...Map.groupBy(members, (row) => nameOf(String(row["parameter"])))].map(([parameter, cell]) => {
      const norms = cell.map((row) => row["grad_norm"] as number | null).filter((norm) => norm !== null);
      const steps = new Set(cell.map((row) => row["train_step"])).size;
      const isBroken = norms.some((norm) => !Number.isFinite(norm)) ||
        cell.some((row) => Number(row["non_finite"]) > 0);
      const square = norms.reduce((sum, norm) => sum + norm * norm, 0) / steps;
      return {
        train_step: from,
        from,
        to,
        parameter,
        ...isBroken ? { broken: true } : { grad_norm: Math.sqrt(square) },
      };
    })
  );
}

/** What is the same in all names of a model is left out: `layers.3.q_proj`. */
function shortName(name: string): string {
  return name.replace(/^(?:base_model\.)?(?:model\.)+/, "").replace(/\.(?:self_attn|mlp)\./, ".").replace(
    /\.weight$/,
    "",
  );
}

/** `model.layers.3` of `model.layers.3.self_attn.q_proj.weight`; what belongs to no layer by its own name. */
function layerOf(name: string): string {
  return /^.*?\b(?:layers|h|blocks)\.\d+(?=\.)/.exec(name)?.[0] ?? name;
}
