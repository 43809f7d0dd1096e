/** The text of the launcher: a script that finds deno when it runs, says where the person stands, and opens the network for `pull` and `watch` alone. @module */
import { relative } from "node:path";
import { DENO_PACKAGE, LAUNCHER, quoted } from "../terminal/command_line.ts";

/** By this line a launcher of ours is known. */
export const MARK = "Written by Nonzero: deno task install";

interface Launched {
  /** Absolute: where deno.json lies. */
  readonly project: string;
  /** Absolute: where the launcher lies. */
  readonly folder: string;
  readonly permissions: readonly string[];
}

const ENVIRONMENT = { DENO_NO_UPDATE_CHECK: "1", MALLOC_ARENA_MAX: "2" };
const WANTED = `want deno 2.9 or newer on PATH, or npx`;

/** For a POSIX shell. A launcher inside the project finds it from its own place, so that both may move together. */
export function shellLauncher({ project, folder, permissions }: Launched): string {
  const home = project.replace(/\/$/, ""), up = relative(folder, home);
  const inside = up === "" || /^\.\.(\/\.\.)*$/.test(up);
  const variables = Object.entries(ENVIRONMENT).map(([name, value]) => `${name}=${value}`).join(" ");
  return `#!/bin/sh
# ${MARK}
project=${inside ? `$(CDPATH= cd -- "$(dirname -- "$0")/${up}" && pwd)` : quoted(home)}
if [ ! -f "$project/workflows/cli/main.ts" ]; then
  echo "Cannot start Nonzero: it is no longer in $project; where it is now, run: deno task install" >&2
  exit 2
fi
export INIT_CWD="$PWD" ${LAUNCHER}="$0" ${variables}
net=
case "$1" in
  pull) net=--allow-net ;;
  watch) net=--allow-net=127.0.0.1 ;;
esac
set -- run -q --no-prompt ${
    permissions.join(" ")
  } $net --config "$project/deno.json" "$project/workflows/cli/main.ts" "$@"
case "$(deno --version 2>/dev/null)" in
  "deno 2.9."* | "deno 2."[1-9][0-9]"."* | "deno "[3-9]"."*) exec deno "$@" ;;
esac
if ! command -v npx >/dev/null 2>&1; then
  echo "Cannot start Nonzero: ${WANTED}" >&2
  exit 2
fi
exec npx -y ${DENO_PACKAGE} "$@"
`;
}

/** For the command prompt of Windows. */
export function batchLauncher({ project, permissions }: Launched): string {
  const main = `"%project%\\workflows\\cli\\main.ts"`;
  const words = `run -q --no-prompt ${permissions.join(" ")} %net% --config "%project%\\deno.json" ${main} %*`;
  return [
    "@echo off",
    `rem ${MARK}`,
    `set "project=${project.replace(/[\\/]$/, "")}"`,
    `if not exist ${main} (`,
    "  echo Cannot start Nonzero: it is no longer in %project%; where it is now, run: deno task install 1>&2",
    "  exit /b 2",
    ")",
    'set "INIT_CWD=%CD%"',
    'set "net="',
    'if "%~1"=="pull" set "net=--allow-net"',
    'if "%~1"=="watch" set "net=--allow-net=127.0.0.1"',
    `set "${LAUNCHER}=%~f0"`,
    ...Object.entries(ENVIRONMENT).map(([name, value]) => `set "${name}=${value}"`),
    "where deno >nul 2>nul",
    `if errorlevel 1 (npx -y ${DENO_PACKAGE} ${words}) else (deno ${words})`,
    "",
  ].join("\r\n");
}
