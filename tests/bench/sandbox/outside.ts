/** Rewards that reach for what is outside of their process: files, environment, programs, network, what outlives them. @module */
import { type Misbehaviours, REFUSED } from "./misbehaviour.ts";

/** Not there, or not allowed, in the words of what was tried. */
const ABSENT = /is not defined|is not a (?:function|constructor)|undefined|not supported|not implemented|unstable/i;
const MODULE = /imports no packages|no import access/;

export const READS: Misbehaviours = {
  deno_file: { code: "return [Deno.readTextFileSync('SECRET'), 1]", says: REFUSED },
  node_file: {
    code: "const fs = await import('node:fs'); return [fs.readFileSync('SECRET', 'utf8'), 1]",
    says: REFUSED,
  },
  node_promises: {
    code: "const fs = await import('node:fs/promises'); return [await fs.readFile('SECRET', 'utf8'), 1]",
    says: REFUSED,
  },
  file_url: { code: "return [await (await fetch('file://SECRET')).text(), 1]", says: REFUSED },
  file_import: {
    code: "return [(await import('file://SECRET.json', { with: { type: 'json' } })).default.secret, 1]",
    says: REFUSED,
  },
  text_import: {
    code: "return [await import('file://SECRET'), 1]",
    says: /Cannot load|Expected|SyntaxError|has no read access/,
    placeless: true,
  },
  require: {
    code:
      "const { createRequire } = await import('node:module'); return [createRequire(import.meta.url)('SECRET.json').secret, 1]",
    says: /has no read access|no-npm|Cannot find/,
  },
  folder: { code: "return [[...Deno.readDirSync('/')].length, 'x']", says: REFUSED },
  stat: { code: "return [Deno.statSync('/etc/passwd').size, 'x']", says: REFUSED },
  process_environ: { code: "return [Deno.readTextFileSync('/proc/self/environ'), 1]", says: REFUSED },
  standard_input: { code: "Deno.stdin.readSync(new Uint8Array(9)); return [1, 1]", says: /Bad resource ID/ },
  standard_input_node: {
    code: "(await import('node:fs')).readSync(0, new Uint8Array(9)); return [1, 1]",
    says: /Bad resource|EBADF|gave no answer/i,
  },
  environment: { code: "return [Deno.env.get('NONZERO_SECRET'), 1]", says: REFUSED },
  environment_all: { code: "return [JSON.stringify(Deno.env.toObject()), 1]", says: REFUSED },
  environment_node: {
    code: "const { env } = await import('node:process'); return [env.NONZERO_SECRET ?? 1, env.HOME ?? 1]",
    says: REFUSED,
  },
  working_folder: { code: "return [Deno.cwd() === '/' ? 1 : Deno.cwd(), 1]", says: null },
  host_name: { code: "return [Deno.hostname(), 1]", says: REFUSED },
  node_user: { code: "return [(await import('node:os')).userInfo().username, 1]", says: REFUSED },
  ask_permission: {
    code:
      "const { state } = await Deno.permissions.request({ name: 'read' }); return state === 'granted' ? ['x', 1] : [1, 1]",
    says: null,
  },
};

export const WRITES: Misbehaviours = {
  deno_file: { code: "Deno.writeTextFileSync('MARK', 'x'); return [1, 1]", says: REFUSED },
  node_file: { code: "(await import('node:fs')).appendFileSync('MARK', 'x'); return [1, 1]", says: REFUSED },
  temporary_file: { code: "Deno.makeTempFileSync({ prefix: 'MARKNAME' }); return [1, 1]", says: REFUSED },
  folder: { code: "Deno.mkdirSync('MARK'); return [1, 1]", says: REFUSED },
  link: {
    code: "Deno.symlinkSync('/etc/passwd', 'MARK'); return [1, 1]",
    says: /a reward may only compute: Deno\.symlinkSync\(\)/,
  },
  itself: { code: "Deno.removeSync(new URL(import.meta.url)); return [1, 1]", says: REFUSED },
  deno_itself: {
    code: "Deno.writeTextFileSync(Deno.execPath(), ''); return [1, 1]",
    says: REFUSED,
  },
  local_storage: { code: "localStorage.setItem('MARKNAME', 'x'.repeat(1e6)); return [1, 1]", says: ABSENT },
  session_storage: { code: "sessionStorage.setItem('MARKNAME', 'x'.repeat(1e6)); return [1, 1]", says: ABSENT },
  caches: {
    code:
      "const c = await caches.open('MARKNAME'); await c.put('http://a/MARKNAME', new Response('x'.repeat(1e6))); return [1, 1]",
    says: /Failed to create cache|Not a directory|undefined/,
  },
  key_values: { code: "const kv = await Deno.openKv(); await kv.set(['MARKNAME'], 1); return [1, 1]", says: ABSENT },
  key_values_file: { code: "await Deno.openKv('MARK'); return [1, 1]", says: ABSENT },
  sqlite_file: {
    code: "new (await import('node:sqlite')).DatabaseSync('MARK').exec('CREATE TABLE a(b)'); return [1, 1]",
    says: REFUSED,
  },
  sqlite_attach: {
    code:
      "new (await import('node:sqlite')).DatabaseSync(':memory:').exec(\"ATTACH 'MARK' AS x; CREATE TABLE x.a(b)\"); return [1, 1]",
    says: /too many attached|not authorized|has no|unable to open/,
  },
  sqlite_vacuum: {
    code:
      "const d = new (await import('node:sqlite')).DatabaseSync(':memory:'); d.exec(\"CREATE TABLE a(b); VACUUM INTO 'MARK'\"); return [1, 1]",
    says: /too many attached|not authorized|has no|unable to open/,
  },
  heap_snapshot: {
    code: "(await import('node:v8')).writeHeapSnapshot('MARK'); return [1, 1]",
    says: /has no|gave no answer|not implemented|not a function/i,
  },
  engine_log: {
    code:
      "(await import('node:v8')).setFlagsFromString('--logfile=MARK'); (await import('node:v8')).setFlagsFromString('--log-all'); (await import('node:v8')).setFlagsFromString('--prof'); return [1, 1]",
    says: null,
  },
  report: {
    code: "(await import('node:process')).report.writeReport('MARK'); return [1, 1]",
    says: null,
  },
  chmod: { code: "Deno.chmodSync('SECRET', 0o777); return [1, 1]", says: REFUSED },
};

export const PROGRAMS: Misbehaviours = {
  deno_command: {
    code: "new Deno.Command('/bin/touch', { args: ['MARK'] }).outputSync(); return [1, 1]",
    says: REFUSED,
  },
  node_exec: { code: "(await import('node:child_process')).execSync('touch MARK'); return [1, 1]", says: REFUSED },
  node_spawn: {
    code:
      "const p = (await import('node:child_process')).spawnSync('/bin/touch', ['MARK']); if (p.error) throw p.error; return [1, 1]",
    says: REFUSED,
  },
  node_fork: { code: "(await import('node:child_process')).fork('SECRET'); return [1, 1]", says: REFUSED },
  node_cluster: {
    code: "(await import('node:cluster')).default.fork(); return [1, 1]",
    says: /has no|not implemented|not supported/i,
  },
  kill_parent: { code: "Deno.kill(Deno.ppid, 'SIGKILL'); return [1, 1]", says: REFUSED },
  kill_parent_node: {
    code: "const p = await import('node:process'); p.kill(p.ppid, 'SIGKILL'); return [1, 1]",
    says: REFUSED,
  },
  foreign_library: {
    code: "Deno.dlopen('libc.so.6', { system: { parameters: ['buffer'], result: 'i32' } }); return [1, 1]",
    says: REFUSED,
  },
  pointer: { code: "return [Deno.UnsafePointer.create(1n), 1]", says: REFUSED },
  native_module: {
    code: "(await import('node:process')).dlopen({ exports: {} }, 'libc.so.6'); return [1, 1]",
    says: /has no|not implemented|undefined|not a function/i,
  },
  sqlite_extension: {
    code:
      "new (await import('node:sqlite')).DatabaseSync(':memory:', { allowExtension: true }).loadExtension('libc.so.6'); return [1, 1]",
    says: REFUSED,
  },
};

export const NETWORK: Misbehaviours = {
  fetch: { code: "await fetch('http://127.0.0.1:1999/'); return [1, 1]", says: REFUSED },
  connect: { code: "await Deno.connect({ hostname: '127.0.0.1', port: 1999 }); return [1, 1]", says: REFUSED },
  unix_socket: {
    code: "await Deno.connect({ transport: 'unix', path: '/run/docker.sock' }); return [1, 1]",
    says: REFUSED,
  },
  listen: { code: "Deno.listen({ port: 0 }); return [1, 1]", says: REFUSED },
  serve: { code: "Deno.serve({ port: 0 }, () => new Response('x')); return [1, 1]", says: REFUSED },
  name: { code: "await Deno.resolveDns('example.org', 'A'); return [1, 1]", says: REFUSED },
  web_socket: {
    code:
      "await new Promise((good, bad) => { const s = new WebSocket('ws://127.0.0.1:1999'); s.onopen = good; s.onerror = (e) => bad(e.error ?? new Error(e.message)); }); return [1, 1]",
    says: /may not reach|NotCapable/,
    placeless: true,
  },
  node_net: {
    code:
      "const net = await import('node:net'); await new Promise((good, bad) => net.connect(1999, '127.0.0.1').on('connect', good).on('error', bad)); return [1, 1]",
    says: /may not reach|NotCapable/,
    placeless: true,
  },
  node_http: {
    code:
      "const http = await import('node:http'); await new Promise((good, bad) => http.get('http://127.0.0.1:1999', good).on('error', bad)); return [1, 1]",
    says: /may not reach|NotCapable/,
    placeless: true,
  },
  node_datagram: {
    code:
      "const d = (await import('node:dgram')).createSocket('udp4'); await new Promise((good, bad) => { d.on('error', bad); d.send('x', 1999, '127.0.0.1', (e) => e ? bad(e) : good()); }); return [1, 1]",
    says: /may not reach|NotCapable|not implemented|unstable|has no/i,
    placeless: true,
  },
  node_names: {
    code: "await (await import('node:dns/promises')).lookup('example.org'); return [1, 1]",
    says: /may not reach|NotCapable|has no|EPERM/,
    placeless: true,
  },
  debugger: {
    code: "(await import('node:inspector')).open(0); return [1, 1]",
    says: /may not reach|not implemented|not supported|has no/i,
  },
  remote_module: { code: "await import('https://127.0.0.1:1999/x.js'); return [1, 1]", says: MODULE, placeless: true },
  npm_module: { code: "await import('npm:zod'); return [1, 1]", says: MODULE, placeless: true },
  jsr_module: { code: "await import('jsr:@std/assert'); return [1, 1]", says: MODULE, placeless: true },
};
