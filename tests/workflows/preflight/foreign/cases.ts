/** The two files of every rule: one in which it fires, and one that differs in the option alone, on which all are silent. */
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { checkConfiguration, type CheckedConfiguration } from "../../../../workflows/preflight/configuration.ts";
import type { ForeignRule } from "../../../../workflows/preflight/foreign/rule.ts";

const CASES = new URL("cases/", import.meta.url);

/** Lines in which the two files of a rule may differ. */
const MOST_LINES = 2;

/** The files of a rule by what comes of them, as paths. */
export function filesOf(rule: string): { readonly fires: string | null; readonly silent: string | null } {
  const folder = new URL(`${rule}/`, CASES);
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  const path = (start: string) => {
    const name = names.find((one) => one.startsWith(`${start}.`));
    return name === undefined ? null : decodeURIComponent(new URL(name, folder).pathname);
  };
  return { fires: path("fires"), silent: path("silent") };
}

async function checked(path: string): Promise<CheckedConfiguration> {
  const [found] = await checkConfiguration([path]);
  return found!;
}

/** Lines that only one of two texts has. */
function differing(a: string, b: string): number {
  const lines = (text: string) => text.split("\n"), [first, second] = [lines(a), lines(b)];
  const only = (one: readonly string[], other: readonly string[]) => one.filter((line) => !other.includes(line)).length;
  return Math.max(only(first, second), only(second, first));
}

/** Whether a rule fires on the file of its mistake with one passage written otherwise. */
export async function firesWith(rule: string, passage: string, instead: string): Promise<boolean> {
  const path = filesOf(rule).fires!, parts = Deno.readTextFileSync(path).split(passage);
  assert.equal(parts.length, 2, `${passage} stands ${parts.length - 1} times in ${path}`);
  const folder = await Deno.makeTempDir();
  try {
    const file = join(folder, basename(path));
    await Deno.writeTextFile(file, parts.join(instead));
    return (await checked(file)).problems.some((one) => one.rule === rule);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Registers the two tests of every rule of a table. */
export function testRules(rules: Readonly<Record<string, ForeignRule>>): void {
  for (const [rule, entry] of Object.entries(rules)) {
    Deno.test(`${rule} fires on its mistake, with its place and the change`, async () => {
      const { problems, examined } = await checked(filesOf(rule).fires!);
      const told = problems.map((one) => `${one.line} ${one.severity} ${one.rule ?? one.cause}: ${one.message}`).join(
        "\n",
      );
      const hit = problems.find((one) => one.rule === rule);
      assert(hit !== undefined, told);
      assert([entry.severity, entry.also].includes(hit.severity), told);
      assert(hit.line >= 1 && hit.column >= 1 && /fires\.\w+$/.test(hit.file), told);
      if ("check" in entry) {
        const finding = examined.diagnosis.findings.find(({ message }) => message === hit.message)!;
        assert(finding.remedy.options.length > 0 || finding.hint !== entry.change, told);
      }
      // Nothing else is wrong with the file, so that this rule alone decides.
      const others = problems.filter((one) => one !== hit && one.severity !== "info");
      assert.deepEqual(others.map(({ message }) => message), [], told);
    });
    Deno.test(`${rule} is silent on the same file without it`, async () => {
      const { fires, silent } = filesOf(rule);
      const { problems, launches } = await checked(silent!);
      assert.deepEqual(problems.map((one) => `${one.rule ?? one.cause}: ${one.message}`), []);
      assert(launches.length > 0, "the file starts no training that is read");
      const lines = differing(Deno.readTextFileSync(fires!), Deno.readTextFileSync(silent!));
      assert(lines <= MOST_LINES, `the two files differ in ${lines} lines`);
    });
  }
}
