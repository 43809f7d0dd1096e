/**
 * YAML and JSON configurations as settings with line and column, read as PyYAML would read them.
 *
 * PyYAML (YAML 1.1) needs a dot in a float: it reads `1e-6` as a string, `no` and `off` as false, and keeps the last of
 * two equal keys without a word. Both keys become settings here, so that a rule can see the first.
 * @module
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { firstLineOf } from "../error_text.ts";
import type { Adapter, Source } from "./adapter.ts";
import type { Intake } from "./intake/intake.ts";
import { headText } from "./source/text.ts";
import { WRITE_OUT, yamlAliases } from "./source/yaml_aliases.ts";

const MAX_BYTES = 4 << 20;
const MAX_DEPTH = 30;
const MAX_SETTINGS = 20_000;
const MODEL_FILES: Record<string, string> = {
  "generation_config.json": "model",
  "config.json": "model",
  "adapter_config.json": "peft",
  "tokenizer_config.json": "tokenizer",
  "special_tokens_map.json": "tokenizer",
};
const YAML11_TRUE = /^(yes|on|true)$/i;
const YAML11_FALSE = /^(no|off|false)$/i;
const PYYAML_FLOAT =
  /^[-+]?(?:(?:\d[\d_]*)\.[\d_]*(?:[eE][-+]\d+)?|\.[\d_]+(?:[eE][-+]\d+)?|\.(?:inf|Inf|INF|nan|NaN|NAN))$/;

/** The value and type that Python gets for a plain scalar. */
export function pythonScalar(source: string, value: unknown, json: boolean): { value: unknown; type: string } {
  if (value === null) return { value: null, type: "null" };
  if (typeof value === "boolean") return { value, type: "boolean" };
  if (typeof value === "number" || typeof value === "bigint") {
    if (!json && /[eE.]/.test(source) && !/^0x/.test(source) && !PYYAML_FLOAT.test(source)) {
      return { value: source, type: "string" };
    }
    return { value: Number(value), type: "number" };
  }
  if (!json && YAML11_TRUE.test(source)) return { value: true, type: "boolean" };
  if (!json && YAML11_FALSE.test(source)) return { value: false, type: "boolean" };
  return { value, type: "string" };
}

/** Reads a whole configuration text, anchors and merged maps followed; returns the number of settings. */
export function readConfiguration(
  intake: Pick<Intake, "setting" | "message" | "skip" | "source">,
  text: string,
  json: boolean,
  system: string | null,
): number {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, logLevel: "silent", strict: false });
  const { targets, refused } = yamlAliases(document);
  if (refused !== null) {
    intake.source.partial = `${refused.why}, at line ${lines.linePos(refused.at).line}; ${WRITE_OUT}`;
    return 0;
  }
  let count = 0;
  const walk = (written: Node | null, path: string, depth: number, at: number): void => {
    const { line, col } = lines.linePos(at), node = isAlias(written) ? targets.get(written) ?? null : written;
    if (count > MAX_SETTINGS) return;
    if (depth > MAX_DEPTH) return intake.skip(line, `a value at column ${col}, nested deeper than ${MAX_DEPTH}`);
    if (isMap(node)) {
      const seen = new Set<string>();
      for (const { key, value } of node.items) {
        const keyAt = (key as Node | null)?.range?.[0] ?? at;
        // Written out, a list or a map within a key, within a key, and so on, never ends.
        if (isMap(key) || isSeq(key)) {
          intake.skip(lines.linePos(keyAt).line, "a key that is a list or a map");
          continue;
        }
        const name = isScalar(key) ? String(key.value) : isAlias(key) ? `*${key.source}` : String(key);
        if (seen.has(name)) intake.message("duplicate_key", `${path}${name}`, null, lines.linePos(keyAt).line);
        seen.add(name);
        const held = isAlias(value) ? targets.get(value) : value;
        if (name === "<<" && isMap(held)) walk(held, path, depth + 1, keyAt);
        else walk(held as Node | null, path + name + (isMap(held) ? "." : ""), depth + 1, keyAt);
      }
    } else if (isSeq(node)) {
      if (node.items.every((item) => isScalar(item))) {
        intake.setting(path, node.items.map((item) => (item as { value: unknown }).value), "list", line, col, system);
        count++;
      } else {node.items.forEach((item, i) =>
          walk(item as Node, `${path}.${i}${isMap(item) ? "." : ""}`, depth + 1, at)
        );}
    } else if (isScalar(node) || node === null) {
      const quoted = isScalar(node) && (node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE");
      const value = isScalar(node) ? node.value : null;
      const found = quoted
        ? { value, type: "string" }
        : pythonScalar(isScalar(node) ? node.source ?? "" : "", value, json);
      intake.setting(path, found.value, found.type, line, col, system);
      count++;
    }
  };
  const { contents } = document;
  if (isMap(contents) || isSeq(contents)) walk(contents as Node, "", 0, 0);
  if (document.errors.length > 0) {
    const first = firstLineOf(document.errors[0]);
    const deep = /^Maximum call stack size exceeded( at .*?):?$/.exec(first);
    intake.source.partial = deep
      ? `it is nested too deep${deep[1]}, want at most ${MAX_DEPTH} levels`
      : `it is no valid ${json ? "JSON" : "YAML"}: ${first}`;
  }
  return count;
}

export const CONFIGURATION: Adapter = {
  about: "YAML and JSON configurations, generation_config.json and config.json of model folders",
  sniff(source, text) {
    if (text === null) return 0;
    if (Object.hasOwn(MODEL_FILES, source.name)) return 0.9;
    if (/\.ya?ml$/.test(source.name)) return 0.9;
    if (!source.name.endsWith(".json") || source.size > MAX_BYTES) return 0;
    return text.trimStart().startsWith("{") && !/"log_history"\s*:/.test(text) && !/\n\s*\{/.test(text.slice(0, 4000))
      ? 0.5
      : 0.05;
  },
  async read(source: Source, intake: Intake) {
    const bytes = await source.bytes(MAX_BYTES);
    intake.source.bytes_read = bytes.length;
    const text = headText(bytes) ?? "";
    const json = source.name.endsWith(".json");
    const count = readConfiguration(intake, text, json, MODEL_FILES[source.name] ?? null);
    intake.source.records = count;
    if (count === 0 && text.trim() !== "") {
      throw new SyntaxError(
        `Cannot read ${source.path} as a configuration: ${intake.source.partial ?? "it holds no keys"}`,
      );
    }
  },
};
