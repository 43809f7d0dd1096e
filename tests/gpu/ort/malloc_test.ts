import assert from "node:assert/strict";
import { returnLargePieces } from "../../../gpu/ort/malloc.ts";
import { DENO_RUN } from "../../workflows/cli/command_line.ts";

const MALLOC = new URL("../../../gpu/ort/malloc.ts", import.meta.url).href;

/** MiB that stay with a process which takes 16 pieces of 16 MiB and frees all but the last. */
async function kept(returned: boolean): Promise<number> {
  const file = Deno.makeTempFileSync({ suffix: ".ts" });
  Deno.writeTextFileSync(
    file,
    `import { returnLargePieces } from "${MALLOC}";
     if (${returned}) returnLargePieces();
     const libc = Deno.dlopen("libc.so.6", {
       malloc: { parameters: ["usize"], result: "pointer" },
       free: { parameters: ["pointer"], result: "void" },
       memset: { parameters: ["pointer", "i32", "usize"], result: "pointer" },
     }).symbols;
     const size = 16n << 20n, take = () => libc.memset(libc.malloc(size), 1, size);
     libc.free(take()); // From here on glibc takes such pieces from the heap.
     const before = Deno.memoryUsage().rss, pieces = Array.from({ length: 16 }, take);
     pieces.slice(0, -1).forEach((piece) => libc.free(piece));
     console.log(Math.round((Deno.memoryUsage().rss - before) / 2 ** 20));`,
  );
  try {
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args: [...DENO_RUN, file] }).output();
    assert(success, new TextDecoder().decode(stderr));
    return Number(new TextDecoder().decode(stdout));
  } finally {
    Deno.removeSync(file);
  }
}

Deno.test({
  name: "returnLargePieces() has freed pieces given back to the system below one that stays",
  ignore: Deno.build.os !== "linux",
  async fn() {
    returnLargePieces();
    assert(await kept(true) < 40, "the last piece is 16 MiB");
    assert(await kept(false) > 200);
  },
});
