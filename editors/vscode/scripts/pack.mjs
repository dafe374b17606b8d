// Packs a .vsix: `node scripts/pack.mjs [--target PLATFORM --binary PATH] [--out FOLDER]`.
//
// PLATFORM is one of VS Code's names, such as linux-x64 or darwin-arm64; PATH is the `civl` built for it, with its libz3
// beside it. Without them the package holds no binary and finds `civl` through the setting or the PATH.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build, root } from "./build.mjs";

const LIMIT_WITHOUT_BINARY = 1_000_000;
const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64"];
const PACKED = [
  "dist", "syntaxes", "snippets", "images", "walkthrough", "examples", "package.json", "language-configuration.json",
  "README.md", "CHANGELOG.md", "LICENSE", ".vscodeignore",
];

const { values } = parseArgs({
  options: { target: { type: "string" }, binary: { type: "string" }, out: { type: "string" } },
});
const out = resolve(values.out ?? join(root, "..", "..", "target", "vscode"));

function fail(message) {
  console.error(`pack: ${message}`);
  process.exit(1);
}

function addServer(stage, binary) {
  if (!existsSync(binary)) fail(`there is no ${binary}; build it with \`cargo build --release\``);
  const folder = join(stage, "server");
  mkdirSync(folder);
  const name = binary.endsWith(".exe") ? "civl.exe" : "civl";
  copyFileSync(binary, join(folder, name));
  chmodSync(join(folder, name), 0o755);
  const libraries = readdirSync(dirname(binary)).filter((file) => /^libz3\.(so(\.\d+)*|dylib|dll)$/.test(file));
  if (libraries.length === 0) fail(`no libz3 lies beside ${binary}`);
  // The name with the version is the one the binary asks for; the others are the same file again.
  const wanted = libraries.sort((a, b) => b.length - a.length)[0];
  copyFileSync(join(dirname(binary), wanted), join(folder, wanted));
}

/** The package is read without the repository, so it holds the whole texts. */
function addLicences(stage) {
  const texts = [join(root, "LICENSE"), join(root, "..", "..", "LICENSE-MIT"), join(root, "..", "..", "LICENSE-APACHE")];
  writeFileSync(join(stage, "LICENSE"), texts.map((path) => readFileSync(path, "utf8").trim()).join("\n\n\n") + "\n");
}

if (Boolean(values.target) !== Boolean(values.binary)) fail("--target and --binary belong together");
if (values.target && !PLATFORMS.includes(values.target)) fail(`the platform is one of ${PLATFORMS.join(", ")}`);

await build();
const stage = join(out, `stage-${values.target ?? "universal"}`);
rmSync(stage, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });
for (const name of PACKED) cpSync(join(root, name), join(stage, name), { recursive: true });
addLicences(stage);
if (values.binary) addServer(stage, resolve(values.binary));

const packed = join(out, `civl-${values.target ?? "universal"}.vsix`);
const vsce = join(root, "node_modules", ".bin", "vsce");
const target = values.target ? ["--target", values.target] : [];
const flags = ["package", "--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links", "--out", packed, ...target];
execFileSync(vsce, flags, { cwd: stage, stdio: ["ignore", "ignore", "inherit"] });

const size = statSync(packed).size;
console.log(`${basename(packed)}: ${(size / 1000).toFixed(0)} kB`);
if (!values.binary && size > LIMIT_WITHOUT_BINARY) fail(`the package without a binary is larger than 1 MB`);
