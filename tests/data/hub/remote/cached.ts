/** A cache of huggingface_hub with copies of folders, for tests that read it; HF_HUB_CACHE leads to it meanwhile. @module */
import { join } from "node:path";
import { repositoryFolder } from "../../../../data/hub/remote/cache.ts";
import { parseRepository } from "../../../../data/hub/remote/repository.ts";

/** `repositories`: name to the folder whose files it has. `body` is given the snapshots' folders. */
export async function withCached(
  repositories: Readonly<Record<string, string>>,
  body: (folders: Readonly<Record<string, string>>, cache: string) => void | Promise<void>,
): Promise<void> {
  const cache = Deno.makeTempDirSync(), before = Deno.env.get("HF_HUB_CACHE"), folders: Record<string, string> = {};
  Deno.env.set("HF_HUB_CACHE", cache);
  try {
    Object.entries(repositories).forEach(([name, from], index) => {
      const home = repositoryFolder({ cache }, parseRepository(name)), commit = String(index + 1).repeat(40);
      folders[name] = join(home, "snapshots", commit);
      Deno.mkdirSync(folders[name], { recursive: true });
      Deno.mkdirSync(join(home, "refs"));
      Deno.writeTextFileSync(join(home, "refs/main"), commit);
      for (const file of Deno.readDirSync(from)) {
        Deno.copyFileSync(join(from, file.name), join(folders[name], file.name));
      }
    });
    await body(folders, cache);
  } finally {
    if (before === undefined) Deno.env.delete("HF_HUB_CACHE");
    else Deno.env.set("HF_HUB_CACHE", before);
    Deno.removeSync(cache, { recursive: true });
  }
}
