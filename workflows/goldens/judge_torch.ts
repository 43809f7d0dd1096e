/** Judges golden files of whole models and programs by the topics that take them. @module */
import { dirname, join } from "node:path";
import { firstLineOf } from "../../data/error_text.ts";
import { isFolder } from "../../data/file_system.ts";
import { openSafetensors } from "../../data/hub/safetensors_read.ts";
import { compare } from "./compare.ts";
import { NOT_IMPLEMENTED, type Verdict } from "./judge.ts";
import { type GoldenFile, readGoldenFile, withNumbers } from "./read.ts";
import type { Check, Data, TorchFile, TorchTopic } from "./topic.ts";

/** The verdict on every case of a file of the second schema; one without a topic is one failed case. */
export async function* judgeTorch(
  file: GoldenFile,
  topics: readonly TorchTopic[],
  models: string | null,
  wanted: (topic: string, name: string) => boolean,
): AsyncGenerator<Verdict> {
  const entry = topics.find(({ takes }) => takes(file.name)), topic = file.name;
  if (!entry) {
    if (wanted(topic, "")) yield { topic, name: file.name, errors: {}, failure: NOT_IMPLEMENTED };
    return;
  }
  const opened = torchFile(file, models);
  try {
    for (const one of await entry.cases(opened.file)) {
      if (!wanted(topic, one.name)) continue;
      yield { topic, name: one.name, ...await judged(() => one.checks()) };
    }
  } catch (error) {
    yield { topic, name: file.name, errors: {}, failure: `outcome is an error (${firstLineOf(error)}), want values` };
  } finally {
    opened.close();
  }
}

async function judged(checks: () => Promise<readonly Check[]> | readonly Check[]) {
  let error = 0, failure: string | null = null;
  try {
    for (const { name, want, got, tolerance } of await checks()) {
      const { error: off, difference } = compare(listed(want), got, tolerance);
      error = Math.max(error, off);
      if (difference && failure === null) {
        const place = difference.place === "value"
          ? name
          : `${name}${/^\[/.test(difference.place) ? "" : "."}${difference.place}`;
        failure = `${place} is ${difference.got}, want ${difference.want}`;
      }
    }
  } catch (thrown) {
    return { errors: {}, failure: `outcome is an error (${firstLineOf(thrown)}), want values` };
  }
  return { errors: { float32: error }, failure };
}

const listed = (want: Check["want"]): Data =>
  ArrayBuffer.isView(want) ? Array.from(want as unknown as ArrayLike<number>) : withNumbers(want as Data);

/** The document with its tensors, opened when they are asked for, and the folders of the models that it names. */
function torchFile({ name, path, document }: GoldenFile, models: string | null) {
  const open = new Map<string, ReturnType<typeof openSafetensors>>();
  const tensors = (file = textOf(document, "tensors", path)) => {
    const known = open.get(file) ?? openSafetensors(join(dirname(path), file));
    open.set(file, known);
    return known;
  };
  const beside = (other: string) => readGoldenFile(join(dirname(path), `${other}.json`)).document;
  const model = (named: string) => modelFolder(named, dirname(path), models);
  const file: TorchFile = { name, document, beside, tensors, model };
  return { file, close: () => open.forEach((one) => one.close()) };
}

function textOf(document: Readonly<Record<string, unknown>>, key: string, path: string): string {
  const value = document[key];
  if (typeof value === "string") return value;
  throw new TypeError(`Cannot read ${path}: its "${key}" is ${JSON.stringify(value)}, want a text`);
}

/** A model beside the goldens: in `--models`, in `models/` of a folder above, under the last part of its name. */
function modelFolder(named: string, folder: string, models: string | null): string {
  if (typeof named !== "string") {
    throw new TypeError(
      `Cannot find the model: "model" of the file is ${JSON.stringify(named) ?? "missing"}, want a text`,
    );
  }
  const name = named.replace(/^.*models\//, "");
  const above = [0, 1, 2, 3].map((levels) => join(folder, ...Array(levels).fill(".."), "models"));
  const found = (models === null ? above : [models]).map((place) => join(place, name)).find(isFolder);
  if (found !== undefined) return found;
  throw new RangeError(
    `Cannot find the model "${named}": no folder ${name} in ${
      models ?? `"models" beside or above ${folder}`
    }; name the folder of the models with --models`,
  );
}
