/** How the text of a run writes its options: each that stands there as it does, others as those beside them. @module */
import { changedOption, type Form, formIn, writtenAs } from "./written_as.ts";

interface Place {
  readonly name: string;
  readonly source: string | null;
  readonly line: number | null;
}

/** Options that are looked at. */
const MOST = 200;

export class OwnForms {
  private constructor(readonly forms: ReadonlyMap<string, Form>) {}

  /** Looks at the lines of options, which `lineOf` gives. */
  static async of(
    places: readonly Place[],
    lineOf: (path: string, line: number) => Promise<string>,
  ): Promise<OwnForms> {
    const forms = new Map<string, Form>();
    for (const { name, source, line } of places.slice(-MOST)) {
      const form = source === null || line === null ? null : formIn(await lineOf(source, line), name);
      if (form !== null) forms.set(name, form);
    }
    return new OwnForms(forms);
  }

  /** The line of a remedy as the run would have it. */
  written(line: string): string {
    const option = changedOption(line);
    if (option === null) return line;
    const form = this.forms.get(option) ?? this.#usual(option);
    return form === null ? line : writtenAs(line, form);
  }

  /** Of an option that stands nowhere: as all the others are written, where they are on a command line or in a file. */
  #usual(option: string): Form | null {
    const [first, ...more] = [...this.forms.values()];
    if (first === undefined || more.some(({ kind }) => kind !== first.kind)) return null;
    if (first.kind === "key" && option.includes(".")) return null;
    return { ...first, name: option, decimal: false };
  }
}
