/** Finding the library of the installed package. */
import assert from "node:assert/strict";
import { libraryPath, packageFolder, platform, PLATFORMS } from "../../../gpu/ort/library.ts";

Deno.test("libraryPath() is a file of the installed package", () => {
  const path = libraryPath();
  assert(Deno.statSync(path).isFile);
  assert(path.startsWith(packageFolder()));
});

Deno.test("PLATFORMS matches the file names of every platform the package ships", () => {
  const root = packageFolder(), [napi] = [...Deno.readDirSync(`${root}/bin`)].map(({ name }) => name);
  for (const { folder, file } of Object.values(PLATFORMS)) {
    for (const arch of Deno.readDirSync(`${root}/bin/${napi}/${folder}`)) {
      const files = [...Deno.readDirSync(`${root}/bin/${napi}/${folder}/${arch.name}`)].map(({ name }) => name);
      assert(files.some((name) => file.test(name)), `none of ${files} for ${folder}/${arch.name}`);
    }
  }
});

Deno.test("libraryPath() says what it looked for", () => {
  const root = Deno.makeTempDirSync();
  try {
    Deno.mkdirSync(`${root}/bin/napi-v6`, { recursive: true });
    assert.throws(() => libraryPath(root), /Cannot find the ONNX Runtime library in .*bin: it has no .* file like/);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});

Deno.test("platform() names the systems it knows", () => {
  assert.equal(platform("linux").libc, "libc.so.6");
  assert.throws(
    () => platform("freebsd"),
    /Cannot run on freebsd: onnxruntime-node has libraries for linux, darwin, windows/,
  );
});
