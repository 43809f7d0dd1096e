import assert from "node:assert/strict";
import { basename } from "node:path";
import { isRewritten, rereadFile } from "../../../../workflows/doctor/follow/reread_file.ts";
import { collected, inFolder } from "./collected.ts";

Deno.test("isRewritten() knows the files that are no lines", () => {
  for (const name of ["trainer_state.json", "events.out.tfevents.1.host.0", "run-x.wandb", "a.parquet"]) {
    assert(isRewritten(name), name);
  }
  for (const name of ["train.log", "logging.jsonl", "log.json", "my_trainer_state.txt"]) {
    assert(!isRewritten(name), name);
  }
});

Deno.test("rereadFile() gives the whole file each time it has changed, and never its lines", () =>
  inFolder(async (_, write) => {
    const path = await write("trainer_state.json", "{1}"), stop = new AbortController();
    const pieces = rereadFile(path, { stop: stop.signal, shown: basename });
    const texts = await collected(pieces, [
      ["{1}", () => write("trainer_state.json", "{12}")],
      ["{12}", async () => {
        await write("trainer_state.json", "{123}");
        stop.abort();
      }],
    ]);
    assert.deepEqual(texts, [
      "note trainer_state.json is written as a whole: it is read again when it changes, not repeated",
      ...["{1}", "{12}", "{123}"].map((text) => `document trainer_state.json: ${text}`),
    ]);
  }));
