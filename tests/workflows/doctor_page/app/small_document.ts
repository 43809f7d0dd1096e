/**
 * As much of a document as the views of the page ask for, where no browser is: elements, their texts and events.
 *
 * What makes elements of a text throws: a view that calls it would run what a log holds. @module
 */

/** An element, or a text where `tag` is empty. */
export class SmallElement {
  readonly children: SmallElement[] = [];
  readonly attributes = new Map<string, string>();
  readonly #acts: [string, (event: unknown) => unknown][] = [];
  checked = false;
  open = false;
  id = "";

  constructor(readonly tag: string, readonly text = "") {}

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
    if (name === "checked") this.checked = true;
  }
  addEventListener(name: string, act: (event: unknown) => unknown): void {
    this.#acts.push([name, act]);
  }
  append(...children: readonly (SmallElement | string)[]): void {
    this.children.push(...children.map((one) => typeof one === "string" ? new SmallElement("", one) : one));
  }
  replaceChildren(...children: readonly (SmallElement | string)[]): void {
    this.children.length = 0;
    this.append(...children);
  }
  set className(value: string) {
    this.attributes.set("class", value);
  }
  get className(): string {
    return this.attributes.get("class") ?? "";
  }
  get textContent(): string {
    return this.tag === "" ? this.text : this.children.map(({ textContent }) => textContent).join("");
  }
  set textContent(value: string) {
    this.replaceChildren(value);
  }
  set innerHTML(value: string) {
    throw new TypeError(`Cannot show ${value}: want it as a text`);
  }
  insertAdjacentHTML(_where: string, value: string): void {
    throw new TypeError(`Cannot show ${value}: want it as a text`);
  }

  /** It and all within it, in order. */
  all(): SmallElement[] {
    return [this, ...this.children.flatMap((one) => one.all())];
  }
  /** The elements of a tag within it. */
  of(tag: string): SmallElement[] {
    return this.all().filter((one) => one.tag === tag);
  }
  /** Lets everybody know who listens; waits for what they do. */
  async say(name: string): Promise<void> {
    for (const [own, act] of this.#acts) if (own === name) await act({});
  }
}

/** Puts such a document, and a clipboard that keeps what is copied, in the place of a browser's. */
export function smallDocument(): { readonly copied: string[] } {
  const copied: string[] = [];
  const made = (tag: string) => new SmallElement(tag);
  Object.assign(globalThis, {
    document: { createElement: made, createElementNS: (_: string, tag: string) => made(tag) },
  });
  Object.defineProperty(navigator, "clipboard", {
    configurable: true,
    value: { writeText: (text: string) => Promise.resolve(void copied.push(text)) },
  });
  return { copied };
}
