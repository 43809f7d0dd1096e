/** Whether a model is the one that an adapter was trained upon: shapes alone do not tell two models of one family apart. @module */
import { basename, resolve } from "node:path";
import { isFile, orElse } from "../file_system.ts";
import { printable } from "../printable.ts";
import { beneath } from "./peft_names.ts";
import { areNear, baseFingerprint, compareFingerprints, shortFingerprint } from "./base_fingerprint.ts";
import { openModelTensors } from "./model_tensors.ts";
import { CONFIG } from "./peft_config.ts";
import { readFolderObject } from "./model_folder.ts";
import { hubSource } from "./remote/cache.ts";
import { whereItLeads } from "../real_path.ts";

/** The key of our adapters' metadata that holds the fingerprint of their base. */
export const FINGERPRINT = "base_fingerprint";

/** What speaks against a model beneath an adapter. */
interface OtherBase {
  /** It is another one: the fingerprints differ. False where only names do: a folder may have been renamed. */
  readonly certain: boolean;
  /** A clause whose subject is the adapter. */
  readonly text: string;
}

/** Null where nothing speaks against `model`, the folder of the weights beneath the adapter. */
export function otherBase(adapter: string, model: string): OtherBase | null {
  const changed = otherBeneath(adapter, model);
  if (changed !== null) {
    return {
      certain: true,
      text:
        `it was trained upon another "${changed}" than that in ${model}, which it holds as well: did its vocabulary ` +
        "grow? merge it by PEFT, and load the whole model",
    };
  }
  const { base_model_name_or_path: base, revision } = readFolderObject(adapter, CONFIG) ?? {};
  const name = typeof base === "string" && base !== "" ? base : null;
  const kept = fingerprintIn(adapter), own = kept === null ? null : baseFingerprint(model);
  if (kept !== null && own !== null) {
    const named = name === null ? "" : ` (${printable(name)})`;
    const compared = compareFingerprints(kept, own);
    if (compared === "same") return null;
    if (compared === "near") {
      return {
        certain: false,
        text:
          `it was trained upon weights${named} that differ a little from those in ${model}, as another dtype or a few ` +
          "updates make them",
      };
    }
    return {
      certain: true,
      text:
        `it was trained upon other weights${named} than those in ${model}: the fingerprint that it holds of them is ` +
        `${shortFingerprint(kept)}, that of the model ${shortFingerprint(own)}; give that model`,
    };
  }
  if (name === null || isNamed(name, typeof revision === "string" ? revision : null, { adapter, model })) return null;
  const at = hubSource(model);
  return {
    certain: false,
    text: `its ${CONFIG} says that it was trained upon ${printable(name)}` +
      `${typeof revision === "string" && revision !== "" ? ` at ${printable(revision)}` : ""}, and the model is ` +
      `${
        at === null ? model : `${at.name} at ${at.commit}`
      }: shapes fit, and nothing else tells whether these are its weights`,
  };
}

const PIECE = 1 << 20; // Numbers that are compared at once.

/** The parameter of which the adapter holds other numbers than the model has beneath it; null where there is none. */
function otherBeneath(adapter: string, model: string): string | null {
  using held = openModelTensors(adapter, "adapter_model");
  const names = [...held.tensors.keys()].flatMap((name) => {
    const parameter = beneath(name);
    return parameter === null ? [] : [[name, parameter] as const];
  });
  if (names.length === 0) return null;
  using own = openModelTensors(model);
  const other = names.find(([name, parameter]) => {
    const { shape } = held.tensors.get(name)!, size = shape.reduce((a, b) => a * b, 1);
    if (`${own.tensors.get(parameter)?.shape}` !== `${shape}`) return true;
    for (let from = 0; from < size; from += PIECE) {
      const [a, b] = [held, own].map((file, i) => {
        const values = new Float32Array(Math.min(PIECE, size - from));
        file.read(i === 0 ? name : parameter, values, from);
        return values;
      }) as [Float32Array, Float32Array];
      if (!a.every((x, i) => areNear(x, b[i]!))) return true; // Either may be stored in fewer bits.
    }
    return false;
  });
  return other?.[1] ?? null;
}

/** What our own export keeps; null for an adapter of PEFT's. */
function fingerprintIn(adapter: string): string | null {
  return orElse(() => {
    using file = openModelTensors(adapter, "adapter_model");
    return file.metadata[FINGERPRINT] ?? null;
  }, null);
}

/** Whether the model goes by the name that the adapter gives its base. */
function isNamed(
  base: string,
  revision: string | null,
  { adapter, model }: { readonly adapter: string; readonly model: string },
): boolean {
  const source = hubSource(model), same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  if (source !== null) {
    const isOther = revision !== null && /^[0-9a-f]{40}$/.test(revision) && revision !== source.commit;
    return same(source.name, base) && !isOther;
  }
  const there = [resolve(whereItLeads(adapter), base), base].find((folder) => isFile(`${folder}/config.json`));
  if (there !== undefined) {
    const own = baseFingerprint(there);
    return Deno.realPathSync(there) === Deno.realPathSync(model) || own !== null && own === baseFingerprint(model);
  }
  // A folder that was fetched by hand is mostly called as the model, or says what it was.
  const { _name_or_path: called } = readFolderObject(model, "config.json") ?? {};
  return same(basename(base), basename(resolve(model))) || typeof called === "string" && same(called, base);
}
