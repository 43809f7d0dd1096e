/** A table that is a list of rows on a narrow screen, without columns that say nothing. @module */
import { element } from "./element.ts";

type Cell = Node | string;

/** Rows under their titles; each cell says its title where the table is a list. */
export function table(
  titles: readonly string[],
  rows: readonly (readonly (Cell | readonly Cell[])[])[],
  look: string,
  rowLook: (at: number) => string = () => "",
): HTMLElement {
  const kept = titles.map((_, at) => at).filter((at) => rows.some((row) => row[at] !== ""));
  const head = kept.map((at) => element("th", {}, titles[at]!));
  const body = rows.map((row, i) =>
    element(
      "tr",
      { class: rowLook(i) },
      ...kept.map((at) =>
        element("td", { attributes: { "data-name": titles[at]! } }, element("div", {}, ...cellsOf(row[at] ?? "")))
      ),
    )
  );
  return element(
    "div",
    { class: `scroll stacked ${look}`, attributes: { tabindex: "0", role: "group", "aria-label": titles.join(", ") } },
    element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body)),
  );
}

const cellsOf = (cell: Cell | readonly Cell[]): Cell[] =>
  (Array.isArray(cell) ? [...cell] : [cell as Cell]).filter((one) => one !== "");
