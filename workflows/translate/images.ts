/**
 * What other systems' options say of images: which columns and sizes they have, which parts of the model train.
 *
 * Parts are those of Qwen2-VL and Qwen2.5-VL by the names of their tensors: the tower (visual.blocks, visual.patch_embed),
 * the merger behind it (visual.merger: projector, aligner), the text's layers (model).
 * @module
 */
import { computed, noNumber } from "./entries.ts";
import type { Entry, Given, Made, Settings, Table } from "./table.ts";
import { shownValue } from "./written.ts";

/** Which parts stay as they are. */
export interface Frozen {
  readonly tower: boolean;
  readonly merger: boolean;
  readonly text?: boolean;
}

const VISUAL_NAME = /(?:^|[^a-z])vl(?![a-z])/i;

/** True where the model reads images: by its name, or because one of some options is written that is for those alone. */
export function readsImages(given: Given, model: string, signs: readonly string[]): boolean {
  const name = given.value(model);
  return typeof name === "string" && VISUAL_NAME.test(name.replace(/\/+$/, "").split("/").at(-1)!) ||
    signs.some((sign) => given.isWritten(sign) && given.value(sign) !== null);
}

/** `trainable` of load_model for what stays; null where all trains. */
function trainableOf({ tower, merger, text = false }: Frozen): readonly string[] | null {
  if (text) return tower ? ["visual.merger.*"] : merger ? ["visual.*", "!visual.merger.*"] : ["visual.*"];
  if (tower && merger) return ["!visual.*"];
  return tower ? ["!visual.blocks.*", "!visual.patch_embed.*"] : merger ? ["!visual.merger.*"] : null;
}

/** `exclude_modules` of an adapter for what stays, a regular expression; null where none does. */
export function withoutAdapter({ tower, merger, text = false }: Frozen): string | null {
  const visual = tower && merger ? "visual" : tower ? "visual\\.(?:blocks|patch_embed)" : "visual\\.merger";
  const parts = [...tower || merger ? [`.*${visual}.*`] : [], ...text ? ["model\\..*"] : []];
  return parts.length === 0 ? null : parts.join("|");
}

/** The name of a part, as the reports have it. */
const PARTS = { tower: "the vision tower", merger: "the merger", text: "the text's layers" } as const;

/** How a system freezes parts. */
interface Freezing {
  /** What stays; null where the model reads words alone. */
  readonly frozen: (given: Given) => Frozen | null;
  /** True where an adapter trains. */
  readonly hasAdapter: (given: Given) => boolean;
  /** The setting `lora`, without what stays. */
  readonly lora: (given: Given) => Settings;
  /** Why an adapter takes no notice of it; null where it does. */
  readonly ignored?: (given: Given, parts: readonly (keyof typeof PARTS)[]) => string | null;
  /** What to know besides. */
  readonly note?: string;
}

/** Entries of the options that freeze a part each, or several; `fallback` is what holds where nothing is written. */
export function freezes(
  names: Readonly<Record<string, { readonly parts: readonly (keyof typeof PARTS)[]; readonly fallback: boolean }>>,
  { frozen, hasAdapter, lora, ignored = () => null, note = "" }: Freezing,
): Table {
  return Object.fromEntries(
    Object.entries(names).map(([name, { parts, fallback }]): [string, Entry] => {
      const what = parts.map((part) => PARTS[part]).join(" and ");
      const [trains, stay] = parts.length === 1 ? ["trains", "stays as it is"] : ["train", "stay as they are"];
      return [
        name,
        computed(fallback, (value, given): Made => {
          const stays = frozen(given);
          if (stays === null) return { equal: "the model reads words alone" };
          if (typeof value !== "boolean") return { lacks: `it is "${shownValue(value)}", want true or false` };
          const why = hasAdapter(given) ? ignored(given, parts) : null;
          if (why !== null) return { equal: why };
          if (stays.tower && stays.merger && stays.text) return { lacks: "nothing of the model would train" };
          if (!value) return { equal: hasAdapter(given) ? `an adapter on ${what} too` : `${what} ${trains}` };
          const more = note === "" ? "" : `; ${note}`;
          if (hasAdapter(given)) return { set: lora(given), note: `no adapter on ${what}${more}` };
          return {
            set: { "load_model.trainable": trainableOf(stays) ?? ["*"] },
            note: `${what} ${stay}${more}`,
          };
        }),
      ];
    }),
  );
}

/** The column of images: its usual name is set where the model reads images, another one wherever it is written. */
export function imageColumn(usual: string, readsThem: (given: Given) => boolean): Entry {
  return computed(
    usual,
    (value, given) =>
      typeof value !== "string"
        ? { equal: "columns image and images are recognised" }
        : value === usual && !readsThem(given)
        ? { equal: `a column ${usual} is recognised here too` }
        : { set: { "load_prompts.image_column": value } },
  );
}

/** The pixels that the folder's own image processor enlarges an image to, of Qwen2-VL and Qwen2.5-VL. */
const LEAST_PIXELS = 56 * 56;

/** Sizes of images between which a program scales them before the folder's own processor does. */
export function scaledBefore(
  { least, most }: { readonly least: readonly [string, number]; readonly most: readonly [string, number] },
  readsThem: (given: Given) => boolean,
): Table {
  const size = (make: (value: number) => Made): Entry["make"] => (value, given) =>
    !readsThem(given)
      ? { equal: "the model reads words alone" }
      : typeof value === "number"
      ? make(value)
      : noNumber(value);
  return {
    [least[0]]: computed(
      least[1],
      size((value) =>
        value > LEAST_PIXELS
          ? { set: { "load_model.min_pixels": value } }
          : { equal: `the processor of the model's folder enlarges to ${LEAST_PIXELS} all the same` }
      ),
    ),
    [most[0]]: computed(most[1], size((value) => ({ set: { "load_model.max_pixels": value } }))),
  };
}
