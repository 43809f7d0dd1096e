/** The images that drawings refer to: each stands in a page once, however many drawings show it. @module */
import { sizeOfId } from "../../data/images/image_id.ts";
import { escapeHtml } from "../plain_text.ts";

/** Where an image comes from: a data URI, or an address that the page may ask; or why it is not shown. */
type ImageAddress = { readonly href: string } | { readonly why: string };

/** Gives an image's address by its id. */
export type ImageSource = (id: string) => ImageAddress;

/** Of a log, which names images that are not here. */
export const NO_IMAGES: ImageSource = () => ({ why: "The image is not here" });

/** Up to so many pixels a side an image is enlarged with hard pixels; beyond, it is a photograph that wants room. */
const HARD_PIXELS = 320;

export function isLarge(id: string): boolean {
  const { width, height } = sizeOfId(id);
  return Math.max(width, height) > HARD_PIXELS;
}

export class ShownImages {
  readonly #source: ImageSource;
  /** Those asked for so far. */
  readonly #known = new Map<string, ImageAddress>();
  /** What the references are to. */
  readonly #defined = new Map<string, string>();

  constructor(source: ImageSource) {
    this.#source = source;
  }

  /** SVG of an image, `width` × `height`; in place of one that is not shown a frame. */
  svg(id: string, width: number, height: number): string {
    const address = this.#addressOf(id);
    if ("why" in address) {
      return `<rect class="absent" width="${width}" height="${height}" fill="#808080" fill-opacity=".25"><title>${
        escapeHtml(address.why)
      }</title></rect>`;
    }
    if (!address.href.startsWith("data:")) return imageOf(id, address.href, width, height);
    if (!this.#defined.has(id)) {
      const size = sizeOfId(id);
      const symbol = `<symbol id="image-${
        id.split(".")[0]
      }" viewBox="0 0 ${size.width} ${size.height}" preserveAspectRatio="none">${
        imageOf(id, address.href, size.width, size.height)
      }</symbol>`;
      this.#defined.set(id, symbol);
    }
    return `<use href="#image-${id.split(".")[0]}" width="${width}" height="${height}"/>`;
  }

  /** Why an image is not shown; null where it is. */
  why(id: string): string | null {
    const address = this.#addressOf(id);
    return "why" in address ? address.why : null;
  }

  /** The symbols that the references so far are to: they stand once beside the drawings, in a page or in an SVG. */
  get symbols(): string {
    return [...this.#defined.values()].join("");
  }

  /** The same as an element of a page, which takes no room; "" where there are none. */
  get definitions(): string {
    const { symbols } = this;
    return symbols &&
      `<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>${symbols}</defs></svg>`;
  }

  #addressOf(id: string): ImageAddress {
    const known = this.#known.get(id) ?? this.#source(id);
    this.#known.set(id, known);
    return known;
  }
}

function imageOf(id: string, href: string, width: number, height: number): string {
  // The attribute is for programs that draw SVG, the class for pages: the two have no word in common.
  const look = isLarge(id) ? "" : ` image-rendering="optimizeSpeed" class="hard"`;
  return `<image href="${escapeHtml(href)}" width="${width}" height="${height}" preserveAspectRatio="none"${look}/>`;
}
