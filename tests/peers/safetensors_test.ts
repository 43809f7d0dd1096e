/** What the reference reader refuses, ours refuses: files made wrong on purpose, and bytes of good ones changed by the seed. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openSafetensors } from "../../data/hub/safetensors_read.ts";
import { integers } from "../../data/random.ts";
import { trlPython } from "./trl.ts";

const python = trlPython(), ignore = python === null;
const why = ignore ? ": needs a Python with safetensors in NONZERO_PEERS_PYTHON or .venv-peers/bin/python" : "";

type Header = Record<string, unknown> | string;

/** A file with that header, however wrong, and so many bytes of data. */
function file(header: Header, data = 24, length?: bigint): Uint8Array {
  const text = typeof header === "string" ? header : JSON.stringify(header), bytes = new TextEncoder().encode(text);
  const all = new Uint8Array(8 + bytes.length + data);
  new DataView(all.buffer).setBigUint64(0, length ?? BigInt(bytes.length), true);
  all.set(bytes, 8);
  return all;
}

const tensor = (dtype: unknown, shape: unknown, offsets: unknown) => ({ dtype, shape, data_offsets: offsets });
const A = tensor("F32", [2, 2], [0, 16]), B = tensor("BF16", [4], [16, 24]), GOOD = { a: A, b: B };
const text = (value: unknown) => JSON.stringify(value);

/** Each wrong in one way, or good. */
const WRITTEN: Record<string, Uint8Array> = {
  good: file(GOOD),
  "good, with metadata": file({ __metadata__: { format: "pt" }, ...GOOD }),
  "good, padded": file(text(GOOD) + "    "),
  "good, an empty tensor": file({ ...GOOD, c: tensor("F32", [0, 3], [24, 24]) }),
  "good, a scalar": file({ a: tensor("F32", [], [0, 4]) }, 4),
  "good, nothing in it": file({}, 0),
  "empty file": new Uint8Array(0),
  "seven bytes": new Uint8Array(7),
  "header beyond the file": file(GOOD, 24, 10_000n),
  "header of more than 100 MB": file(GOOD, 24, 100_000_001n),
  "header of 2^63": file(GOOD, 24, 1n << 63n),
  "header of 2^64 - 1": file(GOOD, 24, (1n << 64n) - 1n),
  "header cut short": file(GOOD, 24, 20n),
  "header of length 0": file(GOOD, 24, 0n),
  "header is no JSON": file("not json", 24),
  "header is a list": file("[]", 24),
  "header begins with a space": file(` ${text(GOOD)}`),
  "header is not UTF-8": (() => {
    const bytes = file(GOOD);
    bytes[11] = 0xff;
    return bytes;
  })(),
  "two tensors of one name": file(`{"a":${text(A)},"a":${text(B)}}`),
  "tensors overlap": file({ a: A, b: tensor("BF16", [4], [12, 20]) }, 20),
  "a hole between tensors": file({ a: A, b: tensor("BF16", [4], [17, 25]) }, 25),
  "a hole before the first": file({ a: tensor("F32", [2, 2], [4, 20]) }, 20),
  "bytes left over": file(GOOD, 25),
  "bytes missing": file(GOOD, 23),
  "out of order": file({ b: B, a: A }),
  "offsets turned": file({ a: tensor("F32", [2, 2], [16, 0]) }, 16),
  "offsets below 0": file({ a: tensor("F32", [2, 2], [-16, 0]) }, 16),
  "one offset": file({ a: tensor("F32", [2, 2], [0]) }, 16),
  "three offsets": file({ a: tensor("F32", [2, 2], [0, 16, 16]) }, 16),
  "offsets are texts": file({ a: tensor("F32", [2, 2], ["0", "16"]) }, 16),
  "size is not that of the shape": file({ a: tensor("F32", [2, 3], [0, 16]) }, 16),
  "size is not that of the type": file({ a: tensor("F16", [2, 2], [0, 16]) }, 16),
  "unknown type": file({ a: tensor("F33", [2, 2], [0, 16]) }, 16),
  "type is a number": file({ a: tensor(32, [2, 2], [0, 16]) }, 16),
  "shape below 0": file({ a: tensor("F32", [-2, -2], [0, 16]) }, 16),
  "shape of fractions": file({ a: tensor("F32", [2.5, 2], [0, 20]) }, 20),
  "shape is a number": file({ a: tensor("F32", 4, [0, 16]) }, 16),
  "shape overflows": file({ a: tensor("F32", [2 ** 32, 2 ** 32, 2], [0, 16]) }, 16),
  "shape overflows to the size": file(
    `{"a":{"dtype":"F32","shape":[4611686018427387905,4],"data_offsets":[0,16]}}`,
    16,
  ),
  "no shape": file({ a: { dtype: "F32", data_offsets: [0, 16] } }, 16),
  "a tensor is null": file({ a: null }, 16),
  "metadata of numbers": file({ __metadata__: { format: 1 }, ...GOOD }),
  "metadata is a text": file({ __metadata__: "pt", ...GOOD }),
};

/** Good files with one to three bytes of their first hundred changed. */
function changed(seed: number, count: number): Record<string, Uint8Array> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => {
    const bytes = i % 2 ? file(GOOD) : file({ __metadata__: { format: "pt" }, ...GOOD });
    const draws = integers(seed, "safetensors", 0, i, 7, 256), changes = 1 + draws[0]! % 3;
    for (let c = 0; c < changes; c++) bytes[draws[1 + 2 * c]! % Math.min(bytes.length, 140)] = draws[2 + 2 * c]!;
    return [`seed ${seed}, file ${i}`, bytes];
  }));
}

function ours(path: string): { ok: boolean; shapes?: unknown; error?: string } {
  try {
    using opened = openSafetensors(path);
    return { ok: true, shapes: Object.fromEntries([...opened.tensors].map(([name, { shape }]) => [name, shape])) };
  } catch (error) {
    assert(error instanceof SyntaxError, `${path}: ${error}`);
    assert.match(error.message, /^Cannot read .*: /);
    return { ok: false, error: error.message };
  }
}

async function theirs(paths: readonly string[]): Promise<{ ok: boolean; shapes?: unknown }[]> {
  const script = new URL("safetensors_verdicts.py", import.meta.url).pathname;
  const child = new Deno.Command(python!, { args: [script], stdin: "piped", stdout: "piped", stderr: "null" }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(paths.map((path) => `${path}\n`).join("")));
  await writer.close();
  const { stdout } = await child.output();
  return new TextDecoder().decode(stdout).trim().split("\n").map((line) => JSON.parse(line));
}

/** Files that the library takes and we do not, on purpose: see data/hub/safetensors_header.ts. */
const STRICTER = /duplicate|twice|unknown key|does not begin with/;

for (
  const [what, corpus] of [["files wrong in one way", WRITTEN], ["changed bytes", changed(20261123, 400)]] as const
) {
  Deno.test({
    name: `openSafetensors() refuses what the safetensors library refuses, and reads the same otherwise: ${what}${why}`,
    ignore,
    async fn() {
      const folder = Deno.makeTempDirSync(), names = Object.keys(corpus);
      const paths = names.map((_, i) => join(folder, `${i}.safetensors`));
      names.forEach((name, i) => Deno.writeFileSync(paths[i]!, corpus[name]!));
      const verdicts = await theirs(paths), wrong: string[] = [];
      let refused = 0;
      for (const [i, name] of names.entries()) {
        const own = ours(paths[i]!), other = verdicts[i]!;
        if (!own.ok) refused++;
        if (own.ok && !other.ok) wrong.push(`${name}: the library refuses it, we read it`);
        if (!own.ok && other.ok && !STRICTER.test(own.error!)) {
          wrong.push(`${name}: the library reads it, we say ${own.error}`);
        }
        if (own.ok && other.ok) assert.deepEqual(own.shapes, other.shapes, name);
      }
      Deno.removeSync(folder, { recursive: true });
      assert.deepEqual(wrong, []);
      assert(refused > names.length / 4 && refused < names.length, `${refused} of ${names.length} refused`);
    },
  });
}
