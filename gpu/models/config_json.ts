/** Reading a Hugging Face config.json value by value: each of a type and within bounds, or a refusal that names its key. @module */

export type Json = Readonly<Record<string, unknown>>;

export function refuse(found: string, want: string): never {
  throw new TypeError(`Cannot read config.json: ${found}, want ${want}`);
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as it stands in the file. */
export function shown(value: unknown): string {
  return JSON.stringify(value) ?? "missing";
}

/** The same for a message. */
export function short(value: unknown): string {
  const text = shown(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

export function positive(json: Json, key: string): number {
  const value = json[key];
  if (typeof value !== "number" || !(value > 0)) refuse(`"${key}" is ${shown(value)}`, "a positive number");
  return value;
}

export function positiveOrNull(json: Json, key: string): number | null {
  return json[key] === undefined || json[key] === null ? null : positive(json, key);
}

/** `absent` where the key is not there; null is false. */
export function flag(json: Json, key: string, absent = false): boolean {
  const value = json[key] === undefined ? absent : json[key] ?? false;
  if (typeof value !== "boolean") refuse(`"${key}" is ${shown(value)}`, "true or false");
  return value;
}

/** Positive numbers, as many as `count`. */
export function positives(json: Json, key: string, count: number): readonly number[] {
  const list = json[key];
  if (!Array.isArray(list) || list.length !== count || list.some((x) => typeof x !== "number" || !(x > 0))) {
    refuse(
      `"${key}" is ${Array.isArray(list) ? `a list of ${list.length}` : shown(list)}`,
      `${count} positive numbers`,
    );
  }
  return list;
}

/** Beyond the sizes of any model that is published: above them nothing is computed, also not a layout. */
const MOST: Readonly<Record<string, number>> = {
  num_hidden_layers: 1000,
  num_attention_heads: 4096,
  num_key_value_heads: 4096,
  head_dim: 4096,
  hidden_size: 2 ** 17,
  intermediate_size: 2 ** 20,
  vocab_size: 2 ** 24,
  max_position_embeddings: 2 ** 24,
};

export function size(json: Json, key: string): number {
  const value = positive(json, key);
  if (!Number.isInteger(value)) refuse(`"${key}" is ${value}`, "a whole number");
  const most = MOST[key] ?? Infinity;
  if (value > most) refuse(`"${key}" is ${value}`, `at most ${most}`);
  return value;
}
