/** Options of a YAML or JSON configuration, with dotted names, as the doctor reads them. @module */
import { readConfiguration } from "../../data/adapters/configuration.ts";
import { meant, type Value, type Written } from "./written.ts";

/** The options of a configuration, and why it could not be read whole, or null. */
export function yamlOptions(text: string, json: boolean): { options: Written[]; problem: string | null } {
  const options: Written[] = [], source = { partial: null as string | null };
  readConfiguration(
    {
      setting(name: string, value: unknown, _type: string, line: number) {
        const { value: own } = { value: meant(value as Value) };
        options.push({ name: name.replace(/\.$/, ""), value: Array.isArray(own) ? own.map(meant) : own, line });
      },
      message() {},
      skip() {},
      source,
    } as unknown as Parameters<typeof readConfiguration>[0],
    text,
    json,
    null,
  );
  return { options, problem: source.partial };
}
