/** Values alone, one a line, as a notebook prints them. */
import assert from "node:assert/strict";
import { column, readFiles } from "../../read_text.ts";

const post = (code: string, ...out: string[]) =>
  readFiles({ "post.md": `My cell:\n\n\`\`\`python\n${code}\n\`\`\`\nOut:\n\`\`\`\n${out.join("\n")}\n\`\`\`\n` });

Deno.test("readBareValues() takes them for what the code before prints", async () => {
  const run = await post("print(loss.detach())", "tensor(3.2, device='cuda:0')", "tensor(nan)", "tensor(2.5)");
  assert.deepEqual(column(run, "loss"), [3.2, NaN, 2.5]);
});

Deno.test("readBareValues() leaves numbers of nothing that is known, and mixed lines", async () => {
  for (
    const run of [
      await post("print(x)", "1.0", "2.0", "3.0"),
      await post("print(loss)", "1.0", "done", "3.0"),
      await post("print(loss)", "1.0"),
    ]
  ) assert.equal(column(run, "loss"), undefined);
});
