/** Hugging Face folders for tests: a model of tests/models with its tokenizer beside it. */
import { join } from "node:path";

const MODELS = new URL("../../models/", import.meta.url);

/** Copies a model and, unless `tokenizer` is false, the tokenizer it was made with; returns the folder. */
export function modelFolder(root: string, name: string, { tokenizer = true, as = name } = {}): string {
  const folder = join(root, as);
  Deno.mkdirSync(folder, { recursive: true });
  for (const from of tokenizer ? [name, "tokenizer"] : [name]) {
    for (const file of Deno.readDirSync(new URL(`${from}/`, MODELS))) {
      Deno.copyFileSync(new URL(`${from}/${file.name}`, MODELS), join(folder, file.name));
    }
  }
  return folder;
}

/** Changes a JSON file in place. */
export function editJson(path: string, change: (json: Record<string, unknown>) => void): void {
  const json = JSON.parse(Deno.readTextFileSync(path));
  change(json);
  Deno.writeTextFileSync(path, JSON.stringify(json));
}
