/** One environment, its threads, and what it leaves behind; in processes of their own, where threads can be counted. */
import assert from "node:assert/strict";
import { DENO_RUN } from "../../workflows/cli/command_line.ts";

const SESSION = new URL("../../../gpu/session.ts", import.meta.url).href;
const ONNX = new URL("../../../gpu/onnx/", import.meta.url).href;
const CONFIG = new URL("../../../deno.json", import.meta.url).pathname;

/** Runs a program in a fresh deno; `print(x)` in it sends one JSON value back. */
async function child(program: string, env: Record<string, string> = {}, wrap: readonly string[] = []) {
  const file = Deno.makeTempFileSync({ suffix: ".ts" });
  Deno.writeTextFileSync(
    file,
    `import { openRuntime } from "${SESSION}";
     import { Graph } from "${ONNX}graph.ts";
     import { encodeModel } from "${ONNX}proto.ts";
     const print = (x: unknown) => console.log(JSON.stringify(x));
     const tasks = () => [...Deno.readDirSync("/proc/self/task")].length;
     const model = (size = 64) => {
       const graph = new Graph(), x = graph.input("x", { dtype: "float32", shape: [size, size] });
       graph.output("y", x.matmul(x).exp().matmul(x).sum());
       return encodeModel(graph);
     };
     ${program}`,
  );
  const [command, ...before] = [...wrap, Deno.execPath()];
  const args = [...before, ...DENO_RUN, "--cached-only", "--config", CONFIG, file];
  const home = Deno.env.get("HOME") ?? "/", cache = Deno.env.get("DENO_DIR") ?? `${home}/.cache/deno`;
  try {
    const { code, stdout, stderr } = await new Deno.Command(command!, {
      args,
      env: { DENO_DIR: cache, DENO_NO_UPDATE_CHECK: "1", ...env },
    })
      .output();
    const text = new TextDecoder();
    assert.equal(code, 0, text.decode(stderr));
    return text.decode(stdout).trim().split("\n").map((line) => JSON.parse(line));
  } finally {
    Deno.removeSync(file);
  }
}
const linux = Deno.build.os === "linux";
const hasStrace = linux && exists("/usr/bin/strace");
function exists(path: string) {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

Deno.test({
  name: "acquireEnvironment() starts threads - 1 helpers once, for all sessions, and ends them on release",
  ignore: !linux,
  async fn() {
    const [before, opened, loaded, after] = await child(`
      print(tasks());
      const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 4 });
      print(tasks());
      const sessions = [];
      for (let i = 0; i < 5; i++) sessions.push(await runtime.session(model()));
      print(tasks());
      for (const session of sessions) session.release();
      runtime.release();
      print(tasks());
    `);
    assert.equal(opened - before, 3);
    assert.equal(loaded, opened, "a session starts no threads");
    assert(after < opened, "the helpers end");
  },
});

Deno.test({
  name: "200 times create, run, release grow neither threads nor memory",
  ignore: !linux,
  async fn() {
    const [tasksBefore, tasksAfter, grown] = await child(`
      const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 2 });
      const bytes = model(), x = runtime.tensor("float32", [64, 64]), y = runtime.tensor("float32", []);
      const cycle = async () => {
        const session = await runtime.session(bytes), bound = session.bind({ x }, { y });
        await bound.run();
        bound.release();
        session.release();
      };
      for (let i = 0; i < 50; i++) await cycle();
      const tasksBefore = tasks(), rss = Deno.memoryUsage().rss;
      for (let i = 0; i < 200; i++) await cycle();
      print(tasksBefore);
      print(tasks());
      print((Deno.memoryUsage().rss - rss) / 2 ** 20);
    `);
    assert.equal(tasksAfter, tasksBefore);
    assert(grown < 20, `resident memory grew by ${grown} MiB`);
  },
});

Deno.test({
  name: "all sessions share one arena: a second large session needs no memory of its own",
  ignore: !linux,
  async fn() {
    const [first, second] = await child(`
      const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
      const x = runtime.tensor("float32", [2048, 4]), y = runtime.tensor("float32", []);
      const graph = new Graph(), thin = graph.input("x", { dtype: "float32", shape: [2048, 4] });
      graph.output("y", thin.matmul(thin.transpose([1, 0])).exp().matmul(thin).sum());
      for (let i = 0; i < 2; i++) {
        const session = await runtime.session(encodeModel(graph));
        const bound = session.bind({ x }, { y });
        await bound.run();
        await bound.run();
        print(Deno.memoryUsage().rss / 2 ** 20);
      }
    `);
    assert(second - first < 8, `the second session added ${second - first} MiB; its activations are 32 MiB`);
  },
});

Deno.test({
  name: "openRuntime() shares an environment of equal settings and refuses other ones",
  ignore: !linux,
  async fn() {
    const [message, again] = await child(`
      const open = (threads: number) => openRuntime({ backend: "ffi", device: "cpu", threads });
      const one = await open(2), two = await open(2);
      one.release();
      one.release();
      await open(1).catch((error) => print(error.message));
      two.release();
      print((await open(1)).threads);
    `);
    assert.match(message, /Cannot open a second runtime with threads 1, .*: the process has one with threads 2/);
    assert.equal(again, 1);
  },
});

Deno.test({
  name: "threads that open and release runtimes at once wait for an environment that is just ending",
  ignore: !linux,
  async fn() {
    const cycles = `
      import { openRuntime } from "${SESSION}";
      for (let i = 0; i < 200; i++) (await openRuntime({ backend: "ffi", device: "cpu", threads: 2 })).release();
      self.postMessage("done");
      self.close();
    `;
    const answers = await child(`
      const url = "data:text/typescript," + encodeURIComponent(${JSON.stringify(cycles)});
      const ended = () => new Promise((resolve) => {
        const worker = new Worker(url, { type: "module" });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = (event) => (event.preventDefault(), resolve(event.message));
      });
      for (const end of await Promise.all([ended(), ended(), ended()])) print(end);
    `);
    assert.deepEqual(answers, ["done", "done", "done"]);
  },
});

Deno.test("a runtime of one thread computes the same bits beside a thread of the process that has several", async () => {
  const several = `
    import { openRuntime } from "${SESSION}";
    const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 4 });
    self.onmessage = () => (runtime.release(), self.postMessage("released"), self.close());
    self.postMessage("open");
  `;
  const [alone, beside] = await child(`
    const graph = new Graph(), x = graph.input("x", { dtype: "float32", shape: [4, 4096] });
    const weight = graph.input("weight", { dtype: "float32", shape: [4096, 64] }), y = x.matmul(weight);
    graph.output("y", y);
    const waves = (size: number) => Float32Array.from({ length: size }, (_, i) => 3 * Math.sin(1.7 * i));
    const product = async () => {
      const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
      const session = await runtime.session(encodeModel(graph)), y = runtime.tensor("float32", [4, 64]);
      const [x, weight] = [[4, 4096], [4096, 64]].map((shape) =>
        runtime.tensor("float32", shape, waves(shape[0]! * shape[1]!))
      );
      await session.bind({ x: x!, weight: weight! }, { y }).run();
      const bits = [...new Uint32Array(y.download(new Float32Array(256)).buffer)];
      runtime.release();
      return bits;
    };
    print(await product());
    const worker = new Worker("data:text/typescript," + encodeURIComponent(${
    JSON.stringify(several)
  }), { type: "module" });
    const told = () => new Promise((resolve) => worker.onmessage = resolve);
    await told();
    print(await product());
    const released = told();
    worker.postMessage("release");
    await released;
  `);
  assert.deepEqual(beside, alone);
});

const USE = `
  const runtime = await openRuntime({ backend: BACKEND, device: "cpu", threads: 2 });
  const session = await runtime.session(model());
  await session.bind({ x: runtime.tensor("float32", [64, 64]) }, { y: runtime.tensor("float32", []) }).run();
  await new Promise((resolve) => setTimeout(resolve, 700));
  print("done");
`;
for (const backend of ["ffi", "napi"]) {
  Deno.test({
    name: `telemetry is off with ${backend}: no file below the home folder, no look-up, no connection`,
    ignore: !linux,
    async fn() {
      const home = Deno.makeTempDirSync(), trace = Deno.makeTempFileSync();
      const env = { HOME: home, XDG_CACHE_HOME: `${home}/cache`, ORT_DISABLE_TELEMETRY: "" };
      const wrap = hasStrace
        ? ["/usr/bin/strace", "-f", "-qq", "-e", "trace=connect,sendto,sendmmsg", "-o", trace]
        : [];
      try {
        assert.deepEqual(await child(USE.replace("BACKEND", `"${backend}"`), env, wrap), ["done"]);
        assert.deepEqual([...Deno.readDirSync(home)].map(({ name }) => name), []);
        const network = Deno.readTextFileSync(trace).split("\n").filter((line) => /AF_INET|htons\(53\)/.test(line));
        assert.deepEqual(network, []);
      } finally {
        Deno.removeSync(home, { recursive: true });
        Deno.removeSync(trace);
      }
    },
  });
}
