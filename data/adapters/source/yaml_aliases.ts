/**
 * What the aliases of a YAML document stand for, found in one walk, and whether writing them out would ever end.
 *
 * The parser's own `Alias.resolve` walks the whole document for each alias. An alias only stands for a node before it, so
 * one that never ends stands inside the very node that it names.
 * @module
 */
import { type Alias, type Document, isAlias, isMap, isSeq, type Node } from "yaml";

/** Nodes that the aliases of a document may stand for in all; a configuration has some hundreds. */
const MAX_EXPANDED = 20_000;

/** Ends what is said of such an alias, and so tells it from other mistakes. */
export const WRITE_OUT = "write the values out";

interface YamlAliases {
  /** No entry for an alias whose name no anchor before it has. */
  readonly targets: ReadonlyMap<Alias, Node>;
  /** The first alias that cannot be written out, and why; null if all can. */
  readonly refused: { readonly at: number; readonly why: string } | null;
}

/** Looks up every alias of a document. */
export function yamlAliases(document: Document): YamlAliases {
  const anchors = new Map<string, Node>(), targets = new Map<Alias, Node>();
  const sizes = new Map<Node, number>(); // written out; none yet while a node is open
  let expanded = 0, refused: YamlAliases["refused"] = null;
  const aliasSize = (alias: Alias): number => {
    const target = anchors.get(alias.source), at = alias.range?.[0] ?? 0;
    if (target === undefined) return 1;
    targets.set(alias, target);
    const size = sizes.get(target);
    if (size === undefined) refused ??= { at, why: `alias "*${alias.source}" stands inside "&${alias.source}" itself` };
    else if ((expanded += size) > MAX_EXPANDED) {
      refused ??= { at, why: `its aliases stand for more than ${MAX_EXPANDED} values` };
    }
    return size ?? 1;
  };
  const sizeOf = (node: unknown): number => {
    if (isAlias(node)) return aliasSize(node);
    const { anchor } = (node ?? {}) as { anchor?: string };
    if (anchor) anchors.set(anchor, node as Node);
    let size = 1;
    if (isMap(node)) { for (const { key, value } of node.items) size += sizeOf(key) + sizeOf(value); }
    else if (isSeq(node)) { for (const item of node.items) size += sizeOf(item); }
    if (anchor) sizes.set(node as Node, size);
    return size;
  };
  sizeOf(document.contents);
  return { targets, refused };
}
