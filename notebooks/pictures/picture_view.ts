/** Pictures of completions in a notebook cell, or taken as SVG or PNG. @module */
import { PAPER } from "../charts/palette.ts";
import { type Bundle, JUPYTER_DISPLAY, show } from "../display.ts";
import { plainText } from "../plain_text.ts";
import { toPng } from "../png.ts";
import { altText } from "./draw_picture.ts";
import { pictureSheet, type SheetCell, type SheetOptions } from "./sheet.ts";
import { type ImageSource, ShownImages } from "./shown_images.ts";

export class PictureView {
  constructor(
    readonly title: string,
    readonly cells: readonly SheetCell[],
    readonly images: ImageSource,
    readonly options: SheetOptions = {},
  ) {}

  svg(): string {
    return pictureSheet(this.cells, new ShownImages(this.images), this.options);
  }

  /** `scale` is pixels per unit of the drawing. */
  png(scale = 1.5): Promise<Uint8Array<ArrayBuffer>> {
    return toPng(this.svg(), { scale, paper: PAPER[this.options.theme ?? "light"] });
  }

  /** The viewers' bundle: a picture for all that show one, and it in words. */
  async bundle(): Promise<Bundle> {
    const words = this.cells.map(({ title, picture }) => plainText(`  ${title}: ${altText(picture)}`));
    return {
      "image/png": (await this.png()).toBase64(),
      "text/plain": [`[${this.title}]`, ...words].join("\n"),
    };
  }

  /** Shows the pictures in this cell. A cell that ends with them does so too. */
  show(): Promise<void> {
    return show(this);
  }

  [JUPYTER_DISPLAY](): Promise<Bundle> {
    return this.bundle();
  }
}
