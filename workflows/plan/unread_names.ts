/** Finds parameters and matrix axes that nothing looks up: changing them changes nothing. @module */
import { conditionsOf, valueTexts } from "./conditions.ts";
import type { Path, Problem } from "../language/problems.ts";
import { parseCondition } from "../language/expression_syntax.ts";
import { lookUpOf, lookUpsOf } from "../language/expressions.ts";
import type { WorkflowDocument } from "../language/schema.ts";
import type { StepSite } from "./sites.ts";

/** One problem for each, at its first place. The document's expressions can all be read. */
export function unreadNames(document: WorkflowDocument, sites: readonly StepSite[]): Problem[] {
  const read = namesRead(document);
  const { include = [], exclude: _, ...axes } = document.strategy?.matrix ?? {};
  const matrix: Path = ["strategy", "matrix"];
  const declared = [
    ...Object.keys(document.params).map((name) => ({ root: "params", name, path: ["params", name] })),
    ...Object.keys(axes).map((name) => ({ root: "matrix", name, path: [...matrix, name] })),
    ...include.flatMap((extra, i) =>
      Object.keys(extra).filter((name) => !Object.hasOwn(axes, name))
        .map((name) => ({ root: "matrix", name, path: [...matrix, "include", i, name] }))
    ),
  ];
  const unread = declared.filter(({ root, name }) => !read.has(`${root}.${name}`));
  const first = new Map(unread.toReversed().map((one) => [`${one.root}.${one.name}`, one]));
  return unread.filter((one) => first.get(`${one.root}.${one.name}`) === one)
    .map(({ root, name, path }) => ({ path, message: said(root, name, sites) }));
}

function said(root: string, name: string, sites: readonly StepSite[]): string {
  const what = root === "params" ? `parameter "${name}": a value given to it` : `matrix axis "${name}": it`;
  const site = sites.find(({ entry }) => Object.hasOwn(entry.with, name));
  const text = `"\${{ ${root}.${name} }}"`;
  const how = site === undefined ? `${text} where it is meant` : `${name}: ${text} in step "${site.id}"`;
  return `nothing reads ${what} changes nothing; write ${how}, or remove it`;
}

/** `params.NAME` and `matrix.NAME` of every look-up in values and conditions. */
function namesRead(document: WorkflowDocument): ReadonlySet<string> {
  const values = valueTexts(document).flatMap(({ text }) => lookUpsOf(text));
  const conditions = conditionsOf(document.steps).flatMap(({ text }) => lookUpOf(parseCondition(text)) ?? []);
  return new Set([...values, ...conditions].map(({ root, name }) => `${root}.${name}`));
}
