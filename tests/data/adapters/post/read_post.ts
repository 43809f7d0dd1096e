/** Reads a text as a post: what the tests of its reader start from. */
import { Intake } from "../../../../data/adapters/intake/intake.ts";
import { finish } from "../../../../data/adapters/run/finish.ts";
import { readSource } from "../../../../data/adapters/read_sources.ts";
import { shown } from "../read_text.ts";

/** What is taken of a text that lies in a file of a name. */
export async function readPost(text: string | Uint8Array, name = "post.md"): Promise<Intake> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text, intake = new Intake();
  await readSource(
    {
      path: name,
      name,
      size: bytes.length,
      head: bytes.subarray(0, 1 << 16),
      folder: null,
      file: null,
      async *chunks() {
        yield bytes;
      },
      bytes: () => Promise.resolve(bytes),
    },
    intake,
    true,
  );
  return intake;
}

/** Claims of the author on the run as `line subject.predicate`; of others and of other runs with a mark before them. */
export const claimsOf = ({ claims }: Intake) =>
  claims.map(({ line, subject, predicate, by, elsewhere }) =>
    `${by === "author" ? "" : `${by} `}${elsewhere ? "elsewhere " : ""}${line} ${subject}.${predicate}`
  );

/** Numbers in prose as `line name relation values`. */
export const toldOf = ({ told }: Intake) =>
  told.map(({ line, name, relation, values }) => `${line} ${name} ${relation} ${values.join(" ")}`);

/** Settings as `line name=value`. */
export const settingsOf = ({ settings }: Intake) =>
  settings.map(({ line, name, value }) => `${line} ${name}=${JSON.stringify(value)}`);

/** Records as `line step column=value …`, in the order of their train steps. */
export function recordsOf(intake: Intake): string[] {
  return finish("post.md", intake).map(shown).flatMap(({ metrics }) =>
    metrics.train_step.map((step, row) => {
      const cells = [...metrics.columns].flatMap(([name, cells]) => {
        const value = cells[row] ?? null;
        return value === null ? [] : [`${name}=${value}`];
      });
      return [metrics.line[row], step, ...cells].join(" ");
    })
  );
}
