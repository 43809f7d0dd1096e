/** Pictures of a run's completions and evaluations, for a notebook. @module */
import type { ColumnTable } from "arquero";
import { columnArray } from "../../data/tables/mod.ts";
import { askedText } from "../../notebooks/asked_text.ts";
import type { Theme } from "../../notebooks/charts/palette.ts";
import { beforeAfter, chosenPairs } from "../../notebooks/pictures/before_after.ts";
import { type BoxUnits, pictureOf } from "../../notebooks/pictures/picture.ts";
import { PictureView } from "../../notebooks/pictures/picture_view.ts";
import { reportRows, sampleRows } from "../../steps/metrics/report_rows.ts";
import { embeddedImages } from "../run/run_images.ts";

/** Which completions are shown, and how. */
export interface PictureOptions {
  /** The last one of the run where absent. */
  readonly trainStep?: number;
  /** Only those that a verifier accepted, or did not. */
  readonly correct?: boolean;
  /** Pictures at most. */
  readonly limit?: number;
  readonly theme?: Theme;
}

/** What pictures are made of. */
interface Pictured {
  readonly path: string;
  readonly boxUnit: BoxUnits;
}

/** Throws RangeError where no completion of the train step is as asked, or none has an image. */
export function completionPictures(
  { path, boxUnit }: Pictured,
  completions: ColumnTable,
  { trainStep, correct, limit = 8, theme = "light" }: PictureOptions,
): PictureView {
  const steps = Array.from(columnArray(completions, "train_step") as ArrayLike<number>);
  const chosen = trainStep ?? steps.at(-1), first = steps.indexOf(chosen!);
  const there = first < 0 ? [] : sampleRows(completions.slice(first, steps.lastIndexOf(chosen!) + 1), Infinity);
  const rows = there.filter((row) => correct === undefined || row["correct"] === correct);
  const cells = ofManyPrompts(rows, limit, (row) => {
    const picture = pictureOf(row, boxUnit);
    return picture === null ? null : { title: askedText(String(row["prompt"])), picture };
  });
  if (cells.length === 0) {
    const what = rows.length > 0
      ? "their prompts have no images; look at run.tables.completions"
      : there.length > 0
      ? `none is ${correct ? "right" : "wrong"}`
      : `there are none${steps.length > 0 ? `; the run has train steps ${steps[0]} to ${steps.at(-1)}` : ""}`;
    throw new RangeError(`Cannot show pictures of the completions of train step ${chosen ?? 0}: ${what}`);
  }
  return new PictureView(`Completions of train step ${chosen}`, cells, embeddedImages([path]), { theme });
}

/** So many rows that are shown, of as many prompts as there are, those of a prompt beside each other. */
function ofManyPrompts<Cell>(
  rows: readonly Record<string, unknown>[],
  limit: number,
  cellOf: (row: Record<string, unknown>) => Cell | null,
): Cell[] {
  const groups = [...Map.groupBy(rows, (row) => row["prompt_id"] ?? row["prompt"]).values()].map((group) =>
    group.flatMap((row) => cellOf(row) ?? [])
  );
  const cells = groups.flatMap((group, of) => group.map((cell, turn) => ({ cell, of, turn })));
  const chosen = cells.toSorted((a, b) => a.turn - b.turn || a.of - b.of).slice(0, limit);
  return chosen.toSorted((a, b) => a.of - b.of || a.turn - b.turn).map(({ cell }) => cell);
}

/** Throws RangeError for a run without two evaluations of prompts with images. */
export function evaluationPictures(
  { path, boxUnit }: Pictured,
  evaluations: ColumnTable,
  { limit = 6, theme = "light" }: Pick<PictureOptions, "limit" | "theme">,
): PictureView {
  const found = beforeAfter(reportRows(evaluations), boxUnit);
  if (found === null) {
    throw new RangeError(
      "Cannot show pictures before and after: the run has not two evaluations of the same prompts with images; " +
        "add evaluate before and after training",
    );
  }
  const cells = chosenPairs(found.pairs, limit).flatMap(({ pairs }) => pairs).flatMap(({ prompt, before, after }) =>
    [before, after].map((picture, i) => ({ title: `${prompt} · ${found.names[i]}`, picture }))
  );
  return new PictureView("Before and after", cells, embeddedImages([path]), { paired: true, theme });
}
