import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist", "node_modules", "test/e2e", "scripts"] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ["eslint.config.mjs"] }, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: "error",
      "max-lines": ["error", 300],
      "max-params": ["error", 5],
      "max-lines-per-function": ["error", { max: 60 }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/explicit-function-return-type": ["error", { allowExpressions: true }],
    },
  },
  {
    // Each `test(...)` is a statement; its promise is the runner's.
    files: ["test/**"],
    rules: { "@typescript-eslint/no-floating-promises": "off", "@typescript-eslint/no-non-null-assertion": "off" },
  },
  { files: ["*.mjs"], ...tseslint.configs.disableTypeChecked },
);
