import { isProse } from "./data/adapters/post/is_prose.ts";
import { chatLine } from "./data/adapters/post/chat.ts";
import { plainCharacters } from "./data/adapters/post/plain_characters.ts";
import { readPost } from "./tests/data/adapters/post/read_post.ts";
const t = (n: string, f: () => unknown) => {
  const a = performance.now();
  f();
  console.log(n, (performance.now() - a).toFixed(0));
};
const x = " ".repeat(60000) + "x";
t("plain", () => plainCharacters(x));
t("chat", () => chatLine(x));
t("isProse", () => isProse(x));
const a = performance.now();
await readPost(x);
console.log("read", performance.now() - a);
