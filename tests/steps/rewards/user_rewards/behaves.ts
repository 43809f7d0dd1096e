/** A user's reward file whose function behaves as its options say; `at` is the text at which it misbehaves. */

interface Batch {
  readonly texts: readonly string[];
}

const MISBEHAVIOURS: Record<string, (values: unknown[], i: number) => unknown> = {
  throws: () => {
    throw new Error("no unit");
  },
  nan: () => NaN,
  counts: (values) => values.length,
  infinite: () => Infinity,
  text: () => "1",
  nothing: () => undefined,
  loops: () => {
    for (;;);
  },
  exits: () => Deno.exit(0),
  array_memory: () => Array.from({ length: 2000 }, () => new Float64Array(2 ** 18).fill(1)),
  heap_memory: () => {
    const kept: object[] = [];
    for (;;) kept.push({ kept: new Array(1000).fill(kept.length) });
  },
  stdout: () => Deno.stdout.writeSync(new TextEncoder().encode("1\n")),
  forged: () => Deno.stdout.writeSync(new TextEncoder().encode(`${crypto.randomUUID()} {"values":[9]}\n`)),
  huge: () => {
    for (;;) Deno.stdout.writeSync(new Uint8Array(2 ** 20).fill(65));
  },
  reads: () => Deno.readTextFileSync("/etc/hostname"),
  reads_environment: () => Deno.env.get("HOME"),
  writes: () => Deno.writeTextFileSync("stolen.txt", "x"),
  runs: () => new Deno.Command("/bin/true").outputSync(),
  connects: () => Deno.connect({ port: 1999, hostname: "127.0.0.1" }),
  listens: () => Deno.listen({ port: 0 }),
  ffi: () => Deno.dlopen("libc.so.6", {}),
  signals: () => Deno.kill(Deno.ppid, "SIGTERM"),
  fetches: () => fetch("http://127.0.0.1:1999/"),
  imports_npm: () => import(["npm", "zod"].join(":")),
  imports_remote: () => import(["https", "//127.0.0.1:1999/x.ts"].join(":")),
  prints_late: () => setTimeout(() => console.error("late"), 20) && 1,
  rejects_late: () => setTimeout(() => Promise.reject(new Error("no await")), 20) && 1,
  throws_late: () =>
    setTimeout(() => {
      throw new Error("no await");
    }, 20) && 1,
  workers: () => {
    new Worker("data:text/javascript,for(;;);", { type: "module" });
    for (;;);
  },
};

let calls = 0;

export async function score({ texts }: Batch, options: { does?: string; at?: string }) {
  calls++;
  const values: unknown[] = [];
  for (const [i, text] of texts.entries()) {
    if (options.does === "prints") console.log("scoring", text);
    if (options.does === "floods_console") console.log("x".repeat(100_000));
    const misbehave = text === options.at ? MISBEHAVIOURS[options.does!] : undefined;
    values.push(misbehave ? await misbehave(values, i) : text.length);
  }
  if (options.does === "too_few") return values.slice(1);
  if (options.does === "no_array") return 3;
  if (options.does === "second_call_throws") {
    if (calls > 1) throw new Error("tired");
    return texts.map(() => calls);
  }
  if (options.does === "calls") return texts.map(() => calls);
  return values;
}
