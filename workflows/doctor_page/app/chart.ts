/** A series over the run as a drawing, with its onset marked; it says the value that is pointed at. @module */
import type { DoctorPageRun } from "../../../notebooks/pages/doctor.ts";
import { type ChartShape, chartShape, type Point, type Span } from "./chart_shape.ts";
import { drawn, element } from "./element.ts";
import type { Stage } from "./stage.ts";

type Series = DoctorPageRun["decisive"][number];

/** Pixels of a drawing, which is drawn anew where its card is wider: its letters are as large as those around it. */
const WIDTH = 330, NARROWEST = 180, HEIGHT = 190, LEFT = 50, RIGHT = 8, TOP = 10, BOTTOM = 36;
const HIGH = HEIGHT - TOP - BOTTOM;

/** One card with its title, what its line goes from and to, and the drawing. */
export function chart(series: Series, span: Span, word: string, { say }: Stage): HTMLElement {
  let width = WIDTH;
  const shaped = () => chartShape(series, span, width - LEFT - RIGHT, HIGH);
  let shape = shaped();
  const about = [
    series.ends,
    ...shape.mark === null ? [] : [say.dashed(say.since(word, series.mark!))],
    ...shape.broken.length === 0 ? [] : [say.broken(shape.broken.length)],
    ...hollow(shape).length + shape.brokenTold.length === 0 ? [] : [say.hollow],
  ].join(" · ");
  const tip = element("output", { class: "tip", attributes: { hidden: "" } });
  const svg = drawn("svg", {
    attributes: { role: "img", height: String(HEIGHT), "aria-label": `${series.name}: ${about}` },
  });
  const pointed = drawn("g", { class: "pointed" });
  const draw = () => {
    svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    pointed.replaceChildren();
    svg.replaceChildren(frame(shape, word, width - LEFT - RIGHT), pointed);
  };
  draw();
  new ResizeObserver(([entry]) => {
    const now = Math.max(NARROWEST, Math.round(entry!.contentRect.width));
    if (now === width) return;
    width = now;
    shape = shaped();
    draw();
  }).observe(svg);
  const figure = element(
    "figure",
    { class: "drawing" },
    element("figcaption", {}, element("b", {}, series.name), about),
    svg,
    tip,
  );
  const leave = () => {
    pointed.replaceChildren();
    tip.hidden = true;
  };
  svg.addEventListener("pointerleave", leave);
  svg.addEventListener("pointermove", ({ clientX }) => {
    const point = nearest(shape.points, clientX - svg.getBoundingClientRect().left - LEFT);
    if (point === null) return leave();
    const x = String(LEFT + point.x);
    pointed.replaceChildren(
      drawn("line", { class: "cross", attributes: { x1: x, x2: x, y1: String(TOP), y2: String(TOP + HIGH) } }),
      drawn("circle", { class: "dot", attributes: { cx: x, cy: String(TOP + point.y), r: "4" } }),
    );
    tip.hidden = false;
    tip.textContent = `${word} ${point.step}: ${Number(point.value.toPrecision(4))}`;
  });
  return figure;
}

/** Axes, grid, lines and marks, moved to their place. */
function frame(shape: ChartShape, word: string, wide: number): SVGGElement {
  const line = (look: string, x1: number, y1: number, x2: number, y2: number) =>
    drawn("line", {
      class: look,
      attributes: { x1: x1.toFixed(1), y1: y1.toFixed(1), x2: x2.toFixed(1), y2: y2.toFixed(1) },
    });
  const text = (x: number, y: number, anchor: string, said: string) =>
    drawn("text", { attributes: { x: x.toFixed(1), y: y.toFixed(1), "text-anchor": anchor } }, said);
  const path = (look: string, d: string) => drawn("path", { class: look, attributes: { d } });
  return drawn(
    "g",
    { attributes: { transform: `translate(${LEFT},${TOP})` } },
    ...shape.y.flatMap(({ at, label }) => [line("grid", 0, at, wide, at), text(-7, at + 4, "end", label)]),
    ...shape.y.length === 0 ? [line("grid", 0, HIGH, wide, HIGH)] : [],
    ...shape.x.flatMap(({ at, label }) => [line("grid", at, HIGH, at, HIGH + 4), text(at, HIGH + 16, "middle", label)]),
    text(wide / 2, HIGH + 31, "middle", word),
    ...shape.broken.map((at) => line("broken", at, HIGH - 7, at, HIGH)),
    ...shape.brokenTold.map((at) => line("broken told", at, HIGH - 7, at, HIGH)),
    path(shape.few ? "bold" : "thin", shape.line),
    ...shape.median === "" ? [] : [path("bold", shape.median)],
    ...(shape.few ? shape.points : hollow(shape)).map(({ x, y, told }) =>
      drawn("circle", {
        class: told ? "dot told" : "dot",
        attributes: { cx: x.toFixed(1), cy: y.toFixed(1), r: "3" },
      })
    ),
    ...shape.mark === null ? [] : [line("mark", shape.mark, 0, shape.mark, HIGH)],
  );
}

/** What is told and not printed. */
const hollow = ({ points }: ChartShape) => points.filter(({ told }) => told);

function nearest(points: readonly Point[], x: number): Point | null {
  let best: Point | null = null;
  for (const point of points) if (best === null || Math.abs(point.x - x) < Math.abs(best.x - x)) best = point;
  return best;
}
