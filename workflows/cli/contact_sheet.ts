/** A page with some images of a data set, each with its prompt, its answer and the answer's boxes. @module */
import { messageOf } from "../../data/error_text.ts";
import type { Box } from "../../data/boxes/iou.ts";
import { boxProblem, type BoxUnit, convertBox } from "../../data/images/boxes.ts";
import { type DecodedImage, decodeImage } from "../../data/images/decode.ts";
import { thumbnail } from "../../data/images/thumbnail.ts";
import type { Picture } from "../../data/preview/image_survey.ts";
import type { Survey } from "../../data/preview/survey.ts";
import { boxesIn } from "../../data/tasks/rows/answer_boxes.ts";
import type { ImageFile } from "../../data/tasks/rows/image_source.ts";
import { BOX_LOOK, UNDER } from "../../notebooks/pictures/draw_picture.ts";
import { escapeHtml, factList, heading, htmlPage } from "../../notebooks/pages/parts.ts";

/** Pixels of a thumbnail's longer side: twice what it takes on the page. */
const SIDE = 480;
/** Characters of a prompt or an answer. */
const MOST_TEXT = 400;
/** Pixels of an image that is shown in squares, not blurred. */
const TINY = 120;

/** Boxes look as the gold ones of a report. */
const STYLE = `<style>
.sheet{display:grid;grid-template-columns:repeat(auto-fill,minmax(230px,1fr));gap:16px;margin:28px 0 40px}
.sheet figure{padding:0;overflow:hidden;display:flex;flex-direction:column}
.sheet .frame{background:var(--soft);display:grid;grid-auto-flow:column;grid-auto-columns:minmax(0,1fr);gap:2px}
.sheet .frame svg{margin:0;width:100%;height:230px;overflow:hidden}
.sheet .frame p{margin:0;padding:16px;color:var(--wrong);font-size:13px}
.sheet figcaption{padding:12px 14px;min-height:0;display:grid;gap:6px}
.sheet figcaption p{margin:0;white-space:pre-line;overflow-wrap:anywhere;color:var(--ink)}
.sheet code{font:12.5px ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",monospace;color:var(--good);overflow-wrap:anywhere}
.sheet small{color:var(--muted)}.sheet .bad{color:var(--wrong)}
.tiny{image-rendering:pixelated}.halo,.box{fill:none;vector-effect:non-scaling-stroke}
.halo{stroke:${UNDER};stroke-width:5;opacity:.8}.box{stroke:${BOX_LOOK.gold.color};stroke-width:2.5}
</style>`;

/** The page as HTML, without network; boxes are drawn where `unit` says in which they are. */
export async function contactSheet(
  name: string,
  { rows, images }: Survey,
  pictures: readonly Picture[],
  unit?: BoxUnit,
): Promise<string> {
  const cards: string[] = [], opened = { images: 0, failed: 0 };
  for (const picture of pictures) cards.push(await card(picture, unit, opened));
  const number = (value: number) => value.toLocaleString("en");
  const side = (of: "width" | "height") => {
    const { least, median, most } = images![of];
    return `${number(least)} · ${number(median)} · ${number(most)} pixels`;
  };
  // Of an image that is not shown nothing but its header was read.
  const bad = (images?.unreadable ?? 0) + opened.failed, others = Math.max(0, (images?.images ?? 0) - opened.images);
  const facts: Record<string, string> = images === null ? {} : {
    rows: number(rows),
    images: number(images.images),
    "cannot be read": number(bad),
    ...(others > 0 ? { "only headers read": number(others) } : {}),
    "width: least · median · most": side("width"),
    "height: least · median · most": side("height"),
  };
  const hasBoxes = pictures.some(({ answer }) => boxesIn(answer).length > 0);
  const about = pictures.length === 0
    ? "No row has an image that can be read."
    : `${pictures.length} rows, drawn by a hash of their prompt.${
      hasBoxes && unit === undefined
        ? " Boxes are not drawn: --box-unit says whether they are in pixels or thousandths."
        : ""
    }`;
  const status = bad > 0
    ? { text: `${number(bad)} bad`, look: "failed" }
    : { text: others > 0 ? "headers readable" : "readable", look: "ok" };
  const head = `<header>${heading("Nonzero · contact sheet", name, status, about)}${factList(facts)}</header>`;
  return htmlPage(name, `${STYLE}${head}<main><div class="sheet">${cards.join("\n")}</div></main>`, name);
}

/** What became of the images that are shown. */
interface Opened {
  images: number;
  failed: number;
}

async function card(
  { place, prompt, answer, images }: Picture,
  unit: BoxUnit | undefined,
  opened: Opened,
): Promise<string> {
  // Which of several images a box is in, nothing says.
  const boxes = unit === undefined || images.length !== 1 ? [] : boxesIn(answer), problems: string[] = [];
  const frames: string[] = [], sizes: string[] = [];
  for (const file of images) {
    opened.images++;
    try {
      const image = await decodeImage(file.bytes, file.name), { width, height } = image;
      sizes.push(`${width} × ${height}`);
      const good = boxes.filter((box) => {
        const problem = boxProblem(box, image, unit!);
        if (problem !== null) problems.push(problem);
        return problem === null;
      });
      frames.push(
        await frame(image, file, good.map((box) => convertBox(box as unknown as Box, image, unit!, "pixels"))),
      );
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      opened.failed++;
      frames.push(`<p>${escapeHtml(messageOf(error))}</p>`);
    }
  }
  const said = problems.map((problem) => `<small class="bad">${escapeHtml(problem)}</small>`).join("");
  return `<figure><div class="frame">${frames.join("")}</div><figcaption><p>${escapeHtml(cut(prompt))}</p>` +
    `<code>${escapeHtml(cut(answer))}</code>${said}<small>${
      escapeHtml([place, ...sizes].join(" · "))
    }</small></figcaption></figure>`;
}

async function frame(image: DecodedImage, { name }: ImageFile, boxes: readonly Box[]): Promise<string> {
  const { width, height } = image, look = Math.max(width, height) <= TINY ? ' class="tiny"' : "";
  const rects = boxes.flatMap(([x1, y1, x2, y2]) =>
    ["halo", "box"].map((kind) => `<rect class="${kind}" x="${x1}" y="${y1}" width="${x2 - x1}" height="${y2 - y1}"/>`)
  );
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(name.slice(0, 80))}">` +
    `<image${look} width="${width}" height="${height}" href="${await thumbnail(image, SIDE)}"/>${rects.join("")}</svg>`;
}

const cut = (text: string) => text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
