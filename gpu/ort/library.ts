/** Finds the ONNX Runtime library that the npm package installed, per operating system. @module */
import { createRequire } from "node:module";

interface Platform {
  /** Folder of the npm package: process.platform of Node. */
  readonly folder: string;
  /** The library file in that folder. */
  readonly file: RegExp;
  /** The C library that holds setenv, and the name of its function. */
  readonly libc: string;
  readonly setenv: "setenv" | "_putenv_s";
}

/** Linux is tested; the others are written for. */
export const PLATFORMS: Partial<Record<typeof Deno.build.os, Platform>> = {
  linux: { folder: "linux", file: /^libonnxruntime\.so\.\d/, libc: "libc.so.6", setenv: "setenv" },
  darwin: { folder: "darwin", file: /^libonnxruntime\.[\d.]+\.dylib$/, libc: "libSystem.dylib", setenv: "setenv" },
  windows: { folder: "win32", file: /^onnxruntime\.dll$/, libc: "ucrtbase.dll", setenv: "_putenv_s" },
};
const ARCHITECTURES: Record<typeof Deno.build.arch, string> = { x86_64: "x64", aarch64: "arm64" };

/** This machine's row of PLATFORMS; an error on any other system. */
export function platform(os: typeof Deno.build.os = Deno.build.os): Platform {
  const row = PLATFORMS[os];
  if (!row) {
    throw new Error(`Cannot run on ${os}: onnxruntime-node has libraries for ${Object.keys(PLATFORMS).join(", ")}`);
  }
  return row;
}

/** The folder of the installed package onnxruntime-node. */
export function packageFolder(): string {
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve("onnxruntime-node");
  } catch (cause) {
    throw new Error(`Cannot find the package onnxruntime-node: it is not installed; run deno install`, { cause });
  }
  return entry.replaceAll("\\", "/").replace(/\/dist\/[^/]*$/, "");
}

/** Absolute path of the shared library for this system, read from the package's folder; no version is assumed. */
export function libraryPath(root: string = packageFolder()): string {
  const { folder, file } = platform(), bin = `${root}/bin`;
  const arch = ARCHITECTURES[Deno.build.arch];
  for (const napi of [...Deno.readDirSync(bin)].map((entry) => entry.name).filter((name) => name.startsWith("napi-"))) {
    const where = `${bin}/${napi}/${folder}/${arch}`;
    const found = entries(where).filter((name) => file.test(name)).sort((a, b) => b.length - a.length)[0];
    if (found) return `${where}/${found}`;
  }
  throw new Error(
    `Cannot find the ONNX Runtime library in ${bin}: it has no ${folder}/${arch} file like ${file.source}; run deno install`,
  );
}

/** What lies in a folder; nothing where it is not there or not to be read. */
export function entries(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map((entry) => entry.name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable) return [];
    throw error;
  }
}
