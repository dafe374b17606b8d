// Obligations in the Test Explorer: file, layer, declaration, kind of check, obligation.
//
// Items mirror the book; verdicts reach them as runs. A run is opened by the first message of a verification, whoever
// asked for it, and closed by its last.

import * as vscode from "vscode";
import type { Connection } from "../server/connection.js";
import { Cancel, Verify } from "../server/protocol.js";
import type { VerifyParams } from "../server/protocol.js";
import type { Book, Obligation, Program } from "../state/book.js";
import { declarationName } from "../state/gutter.js";
import { tree } from "../state/tree.js";
import type { TreeNode } from "../state/tree.js";

/** What an item stands for. */
export interface Target {
  readonly uri: string;
  readonly params: VerifyParams;
  readonly declaration: string | undefined;
  readonly obligation: Obligation | undefined;
}

export class TestTree implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("civl", "CIVL obligations");
  private readonly targets = new WeakMap<vscode.TestItem, Target>();
  private readonly runs = new Map<string, OpenRun>();
  /** Requests of the user whose run the server has not begun to answer. */
  private readonly asked = new Map<string, vscode.TestRunRequest>();
  private readonly stop: () => void;

  constructor(
    private readonly connection: Connection,
    private readonly book: Book,
  ) {
    this.controller.createRunProfile("Verify", vscode.TestRunProfileKind.Run, (request, token) => this.verify(request, token), true);
    this.stop = book.changed.listen((uri) => {
      this.follow(uri);
    });
    book.all().forEach((program) => {
      this.follow(program.uri);
    });
  }

  target(item: vscode.TestItem): Target | undefined {
    return this.targets.get(item);
  }

  dispose(): void {
    this.stop();
    this.runs.forEach((run) => {
      run.end();
    });
    this.controller.dispose();
  }

  private follow(uri: string): void {
    const program = this.book.get(uri);
    if (program === undefined || program.obligations.length === 0) {
      this.closeRun(uri);
      this.controller.items.delete(uri);
      return;
    }
    const { root, leaves } = this.mirror(program);
    const old = leaves.filter(([one]) => one.standing === "stale").map(([, item]) => item);
    if (old.length > 0) this.controller.invalidateTestResults(old);
    const current = leaves.filter(([one]) => one.standing !== "stale");
    if (current.length > 0) {
      const run = this.runs.get(uri) ?? this.openRun(uri, root);
      for (const [one, item] of current) run.show(item, one);
    }
    if (program.finished) this.closeRun(uri);
  }

  private openRun(uri: string, root: vscode.TestItem): OpenRun {
    const request = this.asked.get(uri) ?? new vscode.TestRunRequest([root], undefined, undefined, false, true);
    this.asked.delete(uri);
    const testRun = this.controller.createTestRun(request, root.label, false);
    testRun.token.onCancellationRequested(() => void this.connection.ask(Cancel, { uri }));
    const run = new OpenRun(testRun);
    this.runs.set(uri, run);
    return run;
  }

  private closeRun(uri: string): void {
    this.runs.get(uri)?.end();
    this.runs.delete(uri);
  }

  /** Makes the items of a file equal to its tree. */
  private mirror(program: Program): { root: vscode.TestItem; leaves: [Obligation, vscode.TestItem][] } {
    const uri = vscode.Uri.parse(program.uri);
    const root = this.controller.items.get(program.uri) ?? this.controller.createTestItem(program.uri, uri.path.split("/").at(-1) ?? "", uri);
    this.controller.items.add(root);
    this.targets.set(root, { uri: program.uri, params: { uri: program.uri }, declaration: undefined, obligation: undefined });
    const leaves: [Obligation, vscode.TestItem][] = [];
    const fill = (parent: vscode.TestItem, nodes: readonly TreeNode[], params: VerifyParams, depth: number): void => {
      const kept = nodes.map((node, place) => {
        const item = parent.children.get(node.id) ?? this.controller.createTestItem(node.id, node.label, uri);
        item.description = node.detail;
        item.sortText = String(place).padStart(6, "0");
        const below = narrowed(params, node, depth);
        this.targets.set(item, { uri: program.uri, params: below, declaration: declarationOf(below, node), obligation: node.obligation });
        if (node.obligation !== undefined) leaves.push([node.obligation, item]);
        fill(item, node.children, below, depth + 1);
        return item;
      });
      parent.children.replace(kept);
    };
    fill(root, tree(program.obligations), { uri: program.uri }, 0);
    return { root, leaves };
  }

  private async verify(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const wanted = request.include ?? [...this.controller.items].map(([, item]) => item);
    for (const item of wanted) {
      const target = this.targets.get(item);
      if (target === undefined) continue;
      if (request.include !== undefined) this.asked.set(target.uri, request);
      // The server may be busy with this file already; then no run of ours stands for the request.
      token.onCancellationRequested(() => void this.connection.ask(Cancel, { uri: target.uri }));
      await this.connection.ask(Verify, target.params);
    }
  }
}

/** Level by level: layer, declaration, kind, obligation. */
function narrowed(params: VerifyParams, node: TreeNode, depth: number): VerifyParams {
  if (node.obligation !== undefined) return { uri: params.uri ?? "", obligations: [node.obligation.id] };
  const layer = /^layer (\d+)$/.exec(node.label);
  if (depth === 0) return layer === null ? params : { ...params, layer: Number(layer[1]) };
  return depth === 1 ? { ...params, symbol: node.label } : { ...params, kind: node.label };
}

function declarationOf(params: VerifyParams, node: TreeNode): string | undefined {
  return node.obligation === undefined ? params.symbol : declarationName(node.obligation.owner);
}

class OpenRun {
  private readonly shown = new Map<string, string>();

  constructor(private readonly run: vscode.TestRun) {}

  /** Tells the run how an obligation stands, once per standing. */
  show(item: vscode.TestItem, one: Obligation): void {
    if (this.shown.get(one.id) === one.standing) return;
    this.shown.set(one.id, one.standing);
    const words = one.reason ?? one.standing;
    switch (one.standing) {
      case "proved":
        this.run.passed(item, one.ms);
        break;
      case "failed":
        this.run.failed(item, new vscode.TestMessage(words), one.ms);
        break;
      case "timeout":
      case "unknown":
        this.run.errored(item, new vscode.TestMessage(words), one.ms);
        break;
      case "skipped":
      case "trusted":
        this.run.skipped(item);
        break;
      case "queued":
        this.run.enqueued(item);
        break;
      case "stale":
        break;
      case "running":
        this.run.started(item);
        break;
    }
  }

  end(): void {
    this.run.end();
  }
}
