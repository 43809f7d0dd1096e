import assert from "node:assert/strict";
import { returnLargePieces, returnSmallPieces } from "../../../gpu/ort/malloc.ts";
import { DENO_RUN } from "../../workflows/cli/command_line.ts";

const MALLOC = new URL("../../../gpu/ort/malloc.ts", import.meta.url).href;

/** MiB that stay with a process which takes `count` pieces of so many KiB and frees all but the last. */
async function kept(count: number, kib: number, before: string, after = ""): Promise<number> {
  const file = Deno.makeTempFileSync({ suffix: ".ts" });
  Deno.writeTextFileSync(
    file,
    `import { returnLargePieces, returnSmallPieces } from "${MALLOC}";
     ${before};
     const libc = Deno.dlopen("libc.so.6", {
       malloc: { parameters: ["usize"], result: "pointer" },
       free: { parameters: ["pointer"], result: "void" },
       memset: { parameters: ["pointer", "i32", "usize"], result: "pointer" },
     }).symbols;
     const size = ${kib}n << 10n, take = () => libc.memset(libc.malloc(size), 1, size);
     libc.free(take()); // From here on glibc takes such pieces from the heap.
     const rss = Deno.memoryUsage().rss, pieces = Array.from({ length: ${count} }, take);
     pieces.slice(0, -1).forEach((piece) => libc.free(piece));
     ${after};
     console.log(Math.round((Deno.memoryUsage().rss - rss) / 2 ** 20));`,
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
    assert(await kept(16, 16 << 10, "returnLargePieces()") < 40, "the last piece is 16 MiB");
    assert(await kept(16, 16 << 10, "") > 200);
  },
});

Deno.test({
  name: "returnSmallPieces() gives back what was freed of pieces too small for a mapping of their own",
  ignore: Deno.build.os !== "linux",
  async fn() {
    returnSmallPieces();
    assert(await kept(1024, 256, "returnLargePieces()", "returnSmallPieces()") < 40);
    assert(await kept(1024, 256, "returnLargePieces()") > 200, "they stay below the last");
  },
});
