// Obligations as a tree: layer, declaration, kind of check, obligation.
//
// Identifiers are paths of what they name, so that an item keeps its identity from run to run.

import type { Obligation } from "./book.js";
import { declarationName } from "./gutter.js";

export interface TreeNode {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly children: readonly TreeNode[];
  /** Set for leaves only. */
  readonly obligation: Obligation | undefined;
}

type Group = readonly [label: string, members: readonly Obligation[]];

export function tree(obligations: readonly Obligation[]): readonly TreeNode[] {
  const layers = grouped(obligations, (one) => (one.layer === undefined ? "any layer" : `layer ${one.layer}`));
  layers.sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
  return layers.map(([layer, atLayer]) => {
    const owners = grouped(atLayer, (one) => declarationName(one.owner));
    return branch(layer, layer, owners.map(([owner, owned]) => {
      const kinds = grouped(owned, (one) => one.kind);
      return branch(`${layer}/${owner}`, owner, kinds.map(([kind, leaves]) =>
        branch(`${layer}/${owner}/${kind}`, kind, leaves.map((one) => leaf(`${layer}/${owner}/${kind}`, one)))));
    }));
  });
}

/** The leaves below nodes, in order. */
export function leaves(nodes: readonly TreeNode[]): readonly Obligation[] {
  return nodes.flatMap((node) => (node.obligation === undefined ? leaves(node.children) : [node.obligation]));
}

function branch(id: string, label: string, children: readonly TreeNode[]): TreeNode {
  return { id, label, detail: "", children, obligation: undefined };
}

function leaf(parent: string, one: Obligation): TreeNode {
  const time = one.cached ? "cached" : `${one.ms} ms`;
  return { id: `${parent}/${one.id}`, label: one.id, detail: time, children: [], obligation: one };
}

function grouped(obligations: readonly Obligation[], key: (one: Obligation) => string): Group[] {
  const groups = new Map<string, Obligation[]>();
  for (const one of obligations) {
    const name = key(one);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [one]);
    else group.push(one);
  }
  return [...groups.entries()];
}
