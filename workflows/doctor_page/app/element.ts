/** Elements of a page: whatever a text holds, it becomes a text node. @module */

type Child = Node | string | null;

/** What an element has besides its children. */
interface Has {
  readonly class?: string;
  readonly id?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly on?: Readonly<Record<string, (event: Event) => void>>;
}

/** An element with its children; a text is never read as HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  has: Has = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), has, children);
}

/** The same of a drawing. */
export function drawn<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  has: Has = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), has, children);
}

function filled<Made extends Element>(made: Made, has: Has, children: readonly Child[]): Made {
  if (has.class) made.setAttribute("class", has.class);
  if (has.id) made.id = has.id;
  for (const [name, value] of Object.entries(has.attributes ?? {})) made.setAttribute(name, value);
  for (const [name, act] of Object.entries(has.on ?? {})) made.addEventListener(name, act);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** A button; what it does is told by its text. */
export function button(text: string, act: (event: Event) => void, look = ""): HTMLButtonElement {
  return element("button", { class: look, attributes: { type: "button" }, on: { click: act } }, text);
}

/** A part of the page under its title. */
export function section(title: string, id: string, ...children: readonly Child[]): HTMLElement {
  const head = element("h2", { id: `${id}-title` }, title);
  return element("section", { id, attributes: { "aria-labelledby": `${id}-title` } }, head, ...children);
}

/** A button that copies a text, and says whether it did. */
export function copyButton(name: string, text: () => string, said: { copied: string; notCopied: string }) {
  const made = button(name, async () => {
    const isCopied = await copied(text());
    made.textContent = isCopied ? said.copied : said.notCopied;
    setTimeout(() => made.textContent = name, 1600);
  }, "copy");
  made.setAttribute("aria-live", "polite");
  return made;
}

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page from a file may not have the clipboard; the older way asks nobody.
    const area = element("textarea", { class: "unseen" });
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
  }
}
