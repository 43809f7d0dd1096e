/** The parts of a line that evidence names: each name with the value behind it. @module */

interface Part {
  readonly text: string;
  readonly marked: boolean;
}

/** What parts a name and its value, and the value. */
const VALUE = /^['"]?\s*[:=|]?\s*['"]?(?:np\.\w+\(|tensor\()?[^\s,;|{}[\]()'"]+(?:,\d{3}(?!\d))*(?:\.\d+)?/;
const WORD = /[\w/.]/;

/** A line in parts; of each word the first place is marked where it stands by itself. */
export function markedParts(text: string, words: readonly string[]): Part[] {
  const places: [from: number, to: number][] = [];
  for (const word of new Set(words)) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      const end = at + word.length;
      if (WORD.test(text[at - 1] ?? " ") || WORD.test(text[end] ?? " ")) continue;
      places.push([at, end + (VALUE.exec(text.slice(end, end + 80))?.[0].length ?? 0)]);
      break;
    }
  }
  const parts: Part[] = [];
  let done = 0;
  for (const [from, to] of places.sort(([a], [b]) => a - b)) {
    if (from < done) continue;
    if (from > done) parts.push({ text: text.slice(done, from), marked: false });
    parts.push({ text: text.slice(from, to), marked: true });
    done = to;
  }
  return done < text.length || parts.length === 0 ? [...parts, { text: text.slice(done), marked: false }] : parts;
}
