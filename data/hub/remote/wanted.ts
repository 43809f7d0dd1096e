/** Which files of a repository are fetched: what load_model and the readers of data take, and no other format of the weights. @module */
import { formatOf, FORMATS } from "../../datasets/formats/mod.ts";
import { indexName, isBesideWeights, isCard, isWeights, weightsName } from "../model_files.ts";
import type { RemoteFile } from "./listing.ts";
import { PullError } from "./refusal.ts";
import type { Repository } from "./repository.ts";

/** Files that transformers looks for and that may not be there: said in the cache, so that it does not ask again. */
export const OPTIONAL = [
  "generation_config.json",
  "special_tokens_map.json",
  "added_tokens.json",
  "chat_template.jinja",
  "chat_template.json",
  "adapter_config.json",
];

/** Other formats of weights, with what they are. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/\.(?:bin|pt|pth|ckpt|pkl)$/, "pickle"],
  [/\.gguf$/, "GGUF"],
  [/\.onnx$/, "ONNX"],
  [/\.(?:h5|msgpack)$/, "TensorFlow or Flax"],
];

interface Wanted {
  /** Fetched first: they say whether the rest is of use. */
  readonly beside: readonly RemoteFile[];
  readonly weights: readonly RemoteFile[];
}

/** The files to fetch. Throws a PullError for a repository without any that we read, naming what it has instead. */
export function wantedFiles(
  repository: Repository,
  files: readonly RemoteFile[],
  include: readonly string[] = [],
): Wanted {
  const only = include.map(globPattern);
  const isAsked = ({ path }: RemoteFile) => only.length === 0 || only.some((pattern) => pattern.test(path));
  if (include.length > 0 && !files.some(isAsked)) {
    throw new PullError(
      `Cannot pull ${repository.name}: it has no file like ${include.join(" or ")}; it has ${some(files)}`,
    );
  }
  if (repository.type === "dataset") {
    const rows = files.filter((file) => formatOf(file.path) !== null && isAsked(file));
    if (rows.length > 0) return { beside: files.filter((file) => isCard(file.path) && isAsked(file)), weights: rows };
    throw new PullError(
      `Cannot pull ${repository.name}: it has no file of rows that is read here (${
        Object.keys(FORMATS).join(", ")
      }), only ${some(files)}; load it with the ` +
        "library datasets, save it as Parquet, and give that file",
    );
  }
  const weights = files.filter(({ path }) => isWeights(path)), index = indexName("model");
  const single = weights.some(({ path }) => path === weightsName("model"));
  const sharded = files.some(({ path }) => path === index);
  const beside = files.filter(({ path }) => isBesideWeights(path) || (path === index && !single));
  const chosen = weights.filter(({ path }) => !(single && /^model-/.test(path)));
  if (chosen.length > 0 && (single || sharded || chosen.some(({ path }) => !/^model-/.test(path)))) {
    return { beside: beside.filter(isAsked), weights: chosen.filter(isAsked) };
  }
  throw new PullError(`Cannot pull ${repository.name}: ${foreign(files)}`);
}

function foreign(files: readonly RemoteFile[]): string {
  for (const [pattern, kind] of FOREIGN) {
    const found = files.filter(({ path }) => pattern.test(path));
    if (found.length === 0) continue;
    const how = kind === "pickle" ? "which run what is in them when they are read; " : "";
    return `its weights are ${kind} files (${
      some(found)
    }), ${how}want safetensors; take a repository that has them, or convert ` +
      "it where you trust it: AutoModelForCausalLM.from_pretrained(…).save_pretrained(DIR) writes safetensors";
  }
  return `it has no weights (model.safetensors), only ${some(files)}; a data set is written datasets/ORG/NAME`;
}

function some(files: readonly RemoteFile[]): string {
  const names = files.slice(0, 4).map(({ path }) => path);
  return names.length === 0 ? "nothing" : `${names.join(", ")}${files.length > names.length ? ", …" : ""}`;
}

/** `*` stands for any part of a name, `**` for folders too. */
function globPattern(glob: string): RegExp {
  const source = glob.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(
    /\*\*\/?|\*|\?/g,
    (mark) => mark === "*" ? "[^/]*" : mark === "?" ? "[^/]" : ".*",
  );
  return new RegExp(`^${source}$`);
}
