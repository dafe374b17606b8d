// The connection to one running server: started, restarted, gone, and what it says.
//
// Everything else in the extension talks to the server through this class, so that nothing else has to know
// whether a server runs at the moment.
//
// Starts and stops follow one another: a second restart waits for the first.

import { homedir } from "node:os";
import * as vscode from "vscode";
import { CloseAction, DidChangeConfigurationNotification, ErrorAction, State } from "vscode-languageclient";
import type { ErrorHandler, RequestType } from "vscode-languageclient";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";
import { complaintAbout, findServer } from "./binary.js";
import { Crashes } from "./crashes.js";
import type { Log } from "./log.js";
import { askVersion, isFile } from "./probe.js";
import { MESSAGE_VERSION, Obligations, Status } from "./protocol.js";
import type { ObligationsParams, StatusParams } from "./protocol.js";

export type ServerState = "starting" | "running" | "stopped" | "missing";

export interface ServerFacts {
  readonly path: string;
  readonly origin: string;
  readonly version: string;
}

export class Connection implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private known: ServerFacts | undefined;
  private current: ServerState = "stopped";
  private queue: Promise<void> = Promise.resolve();
  private readonly stateEmitter = new vscode.EventEmitter<ServerState>();
  private readonly obligationsEmitter = new vscode.EventEmitter<ObligationsParams>();
  private readonly statusEmitter = new vscode.EventEmitter<StatusParams>();

  readonly onState = this.stateEmitter.event;
  readonly onObligations = this.obligationsEmitter.event;
  readonly onStatus = this.statusEmitter.event;

  constructor(
    private readonly extensionFolder: string,
    private readonly log: Log,
  ) {}

  get state(): ServerState {
    return this.current;
  }

  get facts(): ServerFacts | undefined {
    return this.known;
  }

  start(): Promise<void> {
    return this.inOrder(() => this.startNow());
  }

  restart(): Promise<void> {
    return this.inOrder(async () => {
      this.enter("starting");
      await this.stopNow();
      await this.startNow();
    });
  }

  stop(): Promise<void> {
    return this.inOrder(async () => {
      await this.stopNow();
      this.enter("stopped");
    });
  }

  /** Waits for a server that is starting; tells whether one runs. */
  async ready(): Promise<boolean> {
    if (this.current === "starting") {
      await new Promise<void>((resolve) => {
        const listening = this.onState((state) => {
          if (state === "starting") return;
          listening.dispose();
          resolve();
        });
      });
    }
    return this.current === "running";
  }

  /** Asks the server; without a running server the answer is nothing. */
  async ask<P, R>(type: RequestType<P, R, void>, params: P): Promise<R | undefined> {
    const client = this.client;
    if (client === undefined || this.current !== "running") return undefined;
    return client.sendRequest(type, params);
  }

  /** Tells the server that settings have changed; it asks for them. A server that is starting reads them anyway. */
  tellSettings(): void {
    if (this.current !== "running") return;
    const told = this.client?.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
    told?.catch((error: unknown) => {
      this.log.appendLine(`settings: ${String(error)}`);
    });
  }

  dispose(): void {
    void this.stop();
    this.stateEmitter.dispose();
    this.obligationsEmitter.dispose();
    this.statusEmitter.dispose();
  }

  private inOrder(work: () => Promise<void>): Promise<void> {
    const done = this.queue.then(work);
    this.queue = done.catch(() => undefined);
    return done;
  }

  private async startNow(): Promise<void> {
    this.enter("starting");
    const facts = await this.findFacts();
    if (facts === undefined) return;
    this.known = facts;
    this.log.appendLine(`Starting ${facts.path} (${facts.origin}), ${facts.version}.`);
    const client = this.newClient(facts.path);
    this.client = client;
    client.onDidChangeState(({ newState }) => {
      if (this.client === client) this.follow(client, newState);
    });
    client.onNotification(Obligations, (params) => {
      if (params.version === MESSAGE_VERSION) this.obligationsEmitter.fire(params);
    });
    client.onNotification(Status, (params) => {
      if (params.version === MESSAGE_VERSION) this.statusEmitter.fire(params);
    });
    try {
      await client.start();
    } catch (error) {
      this.enter("stopped");
      await this.complain(`The server \`${facts.path}\` does not start: ${String(error)}`);
    }
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client !== undefined) {
      // A server that does not answer is killed; that is fine here.
      await client.dispose().catch(() => undefined);
    }
  }

  private async findFacts(): Promise<ServerFacts | undefined> {
    const settings = vscode.workspace.getConfiguration("civl.server");
    const found = findServer({
      setting: settings.get("path", ""),
      extensionFolder: this.extensionFolder,
      home: homedir(),
      path: process.env["PATH"] ?? "",
      windows: process.platform === "win32",
      isFile,
    });
    if (found.kind === "missing") {
      this.giveUp(found.message);
      return undefined;
    }
    const answer = await askVersion(found.path, environment());
    const complaint = complaintAbout(found.path, answer);
    if (complaint !== undefined) {
      this.giveUp(complaint);
      return undefined;
    }
    return { path: found.path, origin: found.origin, version: answer.output.trim().replace(/\s*\n\s*/g, ", ") };
  }

  private newClient(command: string): LanguageClient {
    const run = { command, args: ["lsp"], transport: TransportKind.stdio, options: { env: environment() } };
    return new LanguageClient("civl", "CIVL", run, {
      documentSelector: [
        { scheme: "file", language: "civl" },
        { scheme: "untitled", language: "civl" },
      ],
      initializationOptions: vscode.workspace.getConfiguration("civl"),
      outputChannel: this.log,
      errorHandler: this.errorHandler(),
      diagnosticPullOptions: { onChange: true, onSave: true },
    });
  }

  /**
   * A message that cannot be written means that the server is going down. The client of its own would give up then, and
   * would start no other server when this one is gone.
   */
  private errorHandler(): ErrorHandler {
    const crashes = new Crashes();
    return {
      error: () => ({ action: ErrorAction.Continue }),
      closed: () => {
        if (crashes.mayStartAgain(Date.now())) return { action: CloseAction.Restart, handled: true };
        void this.complain("The server crashed several times within a few minutes and is not started again.");
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    };
  }

  private follow(client: LanguageClient, state: State): void {
    if (state === State.Starting) this.enter("starting");
    else if (state === State.Stopped) this.enter("stopped");
    // The state changes before the server has been told about open documents; this promise ends after.
    else void client.start().then(() => { if (this.client === client) this.enter("running"); }, () => undefined);
  }

  private enter(state: ServerState): void {
    if (this.current === state) return;
    this.current = state;
    this.stateEmitter.fire(state);
  }

  private giveUp(message: string): void {
    this.known = undefined;
    this.enter("missing");
    void this.complain(message);
  }

  private async complain(message: string): Promise<void> {
    this.log.appendLine(message);
    const settings = "Open Settings";
    const again = "Try Again";
    const log = "Show Log";
    const choice = await vscode.window.showErrorMessage(`CIVL: ${message}`, settings, again, log);
    if (choice === settings) await vscode.commands.executeCommand("workbench.action.openSettings", "civl.server.path");
    else if (choice === again) await this.restart();
    else if (choice === log) this.log.show(true);
  }
}

function environment(): NodeJS.ProcessEnv {
  const own = vscode.workspace.getConfiguration("civl.server").get<Record<string, string>>("environment", {});
  return { ...process.env, ...own };
}
