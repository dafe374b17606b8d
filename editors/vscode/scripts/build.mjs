// Bundles the extension into dist/extension.js; `--watch` rebuilds after each change.
import * as esbuild from "esbuild";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

const options = {
  absWorkingDir: root,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  minify: true,
  sourcemap: false,
  legalComments: "none",
  logLevel: "warning",
};

export const build = () => esbuild.build(options);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes("--watch")) await (await esbuild.context(options)).watch();
  else await build();
}
