// Every command of the extension, by its name in package.json.

import * as vscode from "vscode";
import type { Context } from "./context.js";
import { openExample } from "./example.js";
import { diffLayers, showLayer } from "./layers.js";
import { showMenu } from "./menu.js";
import { showMovers } from "./movers.js";
import { goToObligation } from "./obligation.js";
import { reportProblem } from "./report.js";
import { showTrace } from "./trace.js";
import { cancel, verifyFile, verifySymbol, verifyWorkspace } from "./verify.js";

const COMMANDS: Readonly<Record<string, (context: Context, given: unknown) => Promise<void>>> = {
  "civl.verifyFile": verifyFile,
  "civl.verifySymbol": verifySymbol,
  "civl.verifyWorkspace": verifyWorkspace,
  "civl.cancelVerification": cancel,
  "civl.restartServer": ({ connection }) => connection.restart(),
  "civl.showLayer": showLayer,
  "civl.diffLayers": diffLayers,
  "civl.showMovers": showMovers,
  "civl.showTrace": showTrace,
  "civl.goToObligation": goToObligation,
  "civl.showMenu": showMenu,
  "civl.showOutput": ({ log }) => {
    log.show(true);
    return Promise.resolve();
  },
  "civl.reportProblem": reportProblem,
  "civl.openExample": openExample,
};

export function registerCommands(context: Context): vscode.Disposable {
  const registered = Object.entries(COMMANDS).map(([name, run]) =>
    vscode.commands.registerCommand(name, async (given: unknown) => {
      context.log.appendLine(`command ${name}`);
      try {
        await run(context, given);
      } catch (error) {
        context.log.appendLine(`${name}: ${String(error)}`);
        void vscode.window.showErrorMessage(`CIVL: ${error instanceof Error ? error.message : String(error)}`);
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}
