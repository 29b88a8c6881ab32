/**
 * Who only shops needs nothing of the back office. React Router loads the modules of all routes as the server starts; the
 * build leaves those of the back office to `loadOffice`. See docs/decisions/034.
 */
import type { Plugin } from "vite";

const MODULES = "virtual:office-routes";
const IMPORT = /import (\* as (route\d+) from \S+\/routes\/admin\/\S+;)/g;

let modules = "";

/** Names the module of each of its routes as `office` in place of its `module`; `loadOffice` brings the modules by name. */
export const officeRoutes: Plugin = {
  name: "office-routes",
  apply: "build",
  resolveId: (id) => (id === MODULES ? id : undefined),
  load: (id) => (id === MODULES ? modules : undefined),
  transform: {
    filter: { id: /virtual:react-router\/server-build$/ },
    handler(code) {
      const found = [...code.matchAll(IMPORT)];
      if (found.length === 0) throw new Error("React Router's routes are not where they were.");
      modules = found.map(([, what]) => `export ${what}`).join("\n");
      const names = new Set(found.map(([, , name]) => name));
      const named = code
        .replaceAll(IMPORT, "")
        .replaceAll(/module: (route\d+)/g, (all, name: string) => (names.has(name) ? `office: "${name}"` : all));
      return `${named}\nexport const loadOffice = () => import(${JSON.stringify(MODULES)});`;
    },
  },
};
