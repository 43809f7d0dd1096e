/** Pictures in rows as one SVG, each under its title and over a line that judges it: what a notebook shows. @module */
import { DARK, PALETTE, PAPER, TEXT, type Theme } from "../charts/palette.ts";
import { escapeHtml } from "../plain_text.ts";
import { textWidth } from "../text_width.ts";
import { drawPicture } from "./draw_picture.ts";
import { captionOf, type Picture } from "./picture.ts";
import { isLarge, type ShownImages } from "./shown_images.ts";

/** A picture of a sheet. */
export interface SheetCell {
  /** A short line above it. */
  readonly title: string;
  readonly picture: Picture;
}

/** How pictures are laid out. */
export interface SheetOptions {
  /** Cells come in pairs, which stand in one row. */
  readonly paired?: boolean;
  readonly theme?: Theme;
}

/** Longest side of a drawing, of a photograph; the sheet's usual width; letters, and the distance between their lines; between two pictures; all in pixels. */
const SIDE = 224, SIDE_LARGE = 340, WIDTH = 1000, LETTERS = 12, LINE = 16, GAP = 18;
/** Lines of a caption. */
const MOST_LINES = 3;

/** The sheet of at least one cell in the colours of a theme: as many beside each other as there is room for, of pairs two at least. */
export function pictureSheet(
  cells: readonly SheetCell[],
  images: ShownImages,
  { paired = false, theme = "light" }: SheetOptions = {},
): string {
  const drawn = cells.map((cell) => drawCell(cell, images, theme)),
    width = Math.max(...drawn.map((cell) => cell.width));
  const room = Math.floor(WIDTH / (width + GAP)), columns = Math.max(1, paired ? Math.max(2, room - room % 2) : room);
  const rows = Array.from(
    { length: Math.ceil(drawn.length / columns) },
    (_, row) => drawn.slice(row * columns, (row + 1) * columns),
  );
  let y = GAP;
  const placed = rows.flatMap((row) => {
    const top = y;
    y += Math.max(...row.map(({ height }) => height)) + GAP;
    return row.map(({ svg }, i) => `<g transform="translate(${GAP + i * (width + GAP)},${top})">${svg}</g>`);
  });
  const total = GAP + Math.min(columns, drawn.length) * (width + GAP);
  const paper = PAPER[theme];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${total}" height="${y}" viewBox="0 0 ${total} ${y}">` +
    `<defs>${images.symbols}</defs><rect width="${total}" height="${y}" fill="${paper}"/>${placed.join("")}</svg>`;
}

function drawCell({ title, picture }: SheetCell, images: ShownImages, theme: Theme) {
  const most = picture.ids.some(isLarge) ? SIDE_LARGE : SIDE,
    side = picture.ids.length === 1 ? most : most / 2,
    colors = theme === "dark" ? DARK : PALETTE;
  const drawings = drawPicture(picture, images, side);
  const width = Math.max(most, drawings.reduce((sum, drawing) => sum + drawing.width + 4, -4));
  const { verdict, text } = captionOf(picture), why = picture.ids.flatMap((id) => images.why(id) ?? []);
  const lines = [
    ...wrapped([verdict, text].filter(Boolean).join("  "), width),
    ...why.slice(0, 1).flatMap((note) => wrapped(note, width)),
  ];
  const top = title === "" ? 0 : LINE + 4, height = Math.max(...drawings.map((drawing) => drawing.height));
  const color = picture.correct === null ? colors.ink : picture.correct ? TEXT[theme].good : TEXT[theme].wrong;
  let x = 0;
  const beside = drawings.map(({ svg, width }) => {
    const placed = `<g transform="translate(${x},${top})">${svg}</g>`;
    x += width + 4;
    return placed;
  });
  const parts = [
    title === "" ? "" : line(cut(title, width), LETTERS, colors.muted),
    ...beside,
    ...lines.map((text, i) => line(text, top + height + (i + 1) * LINE, i === 0 ? color : colors.ink)),
  ];
  return { svg: parts.join(""), width, height: top + height + lines.length * LINE };
}

const line = (text: string, y: number, color: string) =>
  `<text y="${y}" font-size="${LETTERS}" font-family="'DejaVu Sans',Verdana,sans-serif" fill="${color}">${
    escapeHtml(text)
  }</text>`;

/** Lines no wider than `width`, the last one cut. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [""];
  for (const word of text.split(" ")) {
    const longer = lines.at(-1) === "" ? word : `${lines.at(-1)} ${word}`;
    if (textWidth(longer, LETTERS) <= width || lines.at(-1) === "") lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const kept = lines.slice(0, MOST_LINES);
  if (lines.length > MOST_LINES) kept[MOST_LINES - 1] += " …";
  return kept.map((one) => cut(one, width));
}

function cut(text: string, width: number): string {
  if (textWidth(text, LETTERS) <= width) return text;
  const letters = [...text.slice(0, width)];
  while (letters.length > 0 && textWidth(`${letters.join("")}…`, LETTERS) > width) letters.pop();
  return `${letters.join("")}…`;
}
