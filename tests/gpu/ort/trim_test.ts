import assert from "node:assert/strict";
import { DENO_RUN } from "../../workflows/cli/command_line.ts";

const ROOT = new URL("../../../", import.meta.url);

/** Resident MiB after the run of a session of 96 MiB of activations, and after that of a small one. */
async function resident(trim: boolean): Promise<[number, number]> {
  const program = `
    import { openRuntime } from "${ROOT}gpu/session.ts";
    import { Graph } from "${ROOT}gpu/onnx/graph.ts";
    import { encodeModel } from "${ROOT}gpu/onnx/proto.ts";
    const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
    for (const size of [4_000_000, 1000]) {
      const graph = new Graph(), x = graph.input("x", { dtype: "float32", shape: [size] });
      graph.output("y", x.exp().add(x.neg()).add(x.sqrt()).sum());
      const session = await runtime.session(encodeModel(graph), { trim: ${trim}, optimization: "none" });
      const y = runtime.tensor("float32", []);
      const bound = session.bind({ x: runtime.tensor("float32", [size]) }, { y });
      for (let i = 0; i < 2; i++) await bound.run();
      console.log(Deno.memoryUsage().rss / 2 ** 20, y.data[0]);
    }`;
  const file = Deno.makeTempFileSync({ suffix: ".ts" });
  try {
    Deno.writeTextFileSync(file, program);
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...DENO_RUN, "--cached-only", "--config", new URL("deno.json", ROOT).pathname, file],
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    const lines = new TextDecoder().decode(stdout).trim().split("\n").map((line) => line.split(" ").map(Number));
    // exp(0) + -0 + sqrt(0) is 1, so that the sum is the size: trimming touches no number.
    assert.deepEqual(lines.map(([, sum]) => sum), [4_000_000, 1000]);
    return [lines[0]![0]!, lines[1]![0]!];
  } finally {
    Deno.removeSync(file);
  }
}

Deno.test({
  name: "ArenaTrim gives back what the arena holds before the next large session runs, and only if asked",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const [held, trimmed] = await resident(true), [kept, untrimmed] = await resident(false);
    assert(held - trimmed > 20, `trimmed: ${held} then ${trimmed} MiB`);
    assert(kept - untrimmed < 5, `not asked for: ${kept} then ${untrimmed} MiB`);
  },
});
