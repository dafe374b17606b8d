import assert from "node:assert/strict";
import { test } from "node:test";
import { leaves, tree } from "../../src/state/tree.js";
import type { TreeNode } from "../../src/state/tree.js";
import { entry, obligations } from "./samples.js";

function picture(nodes: readonly TreeNode[], indent = ""): string {
  return nodes.map((node) => `${indent}${node.label}\n${picture(node.children, `${indent}  `)}`).join("");
}

test("layer, declaration, kind, obligation", () => {
  const all = obligations(
    entry("commutativity(Count, SetBack)", "failed", { layer: 10 }),
    entry("refinement(Enter)", "proved", { kind: "refinement", owner: "Enter", layer: 1 }),
    entry("commutativity(Count, Count)", "proved", { layer: 10, owner: "action@Count" }),
    entry("linear", "proved", { kind: "linear", owner: "", layer: null }),
  );
  const shown = [
    "any layer", "  ", "    linear", "      linear",
    "layer 1", "  Enter", "    refinement", "      refinement(Enter)",
    "layer 10", "  Count", "    commutativity", "      commutativity(Count, SetBack)", "      commutativity(Count, Count)", "",
  ];
  assert.equal(picture(tree(all)), shown.join("\n"));
  assert.equal(leaves(tree(all)).length, 4);
});

test("identifiers do not change with the verdict", () => {
  const ids = (state: string): string[] => {
    const all: string[] = [];
    const visit = (nodes: readonly TreeNode[]): void => {
      for (const node of nodes) {
        all.push(node.id);
        visit(node.children);
      }
    };
    visit(tree(obligations(entry("a", state))));
    return all;
  };
  assert.deepEqual(ids("proved"), ids("failed"));
});
