/** Cases as a person would give them to the page. @module */
import type { Given } from "../../../workflows/doctor_page/reading/messages.ts";

const ROOT = new URL("../../cases/", import.meta.url);

/** Names of all cases. */
export const CASES = [...Deno.readDirSync(ROOT)].filter(({ isDirectory }) => isDirectory).map(({ name }) => name)
  .sort();

/** All files of a case as one folder. */
export function givenCase(name: string): Given {
  const files = [...Deno.readDirSync(new URL(`${name}/`, ROOT))].map((file) => ({
    path: `${name}/${file.name}`,
    file: new Blob([Deno.readFileSync(new URL(`${name}/${file.name}`, ROOT))]),
  }));
  return { kind: "folder", name, files };
}
