/** The scripts of a document, each evaluated in a task of its own. */

const PRELOADED = /<link rel="modulepreload" href="([^"]+)"/g;
const MODULES = /(<script[^>]* type="module"[^>]*>)([^<]+)(<\/script>)/;
const IMPORT = /import (?:\* as (\w+) from )?"([^"]+)";?/g;
const YIELD = "await new Promise(done=>setTimeout(done))";

/**
 * React Router lets a document import all of its scripts at once, which a browser evaluates in one go: a slow phone answers
 * no finger meanwhile. Here each file is imported by itself, what others need first, and the browser may do something else in
 * between. All are fetched beside each other as before; while a page wakes up its links and forms work by themselves.
 */
export function stagedScripts(html: string): string {
  return html.replace(MODULES, (_script, open: string, code: string, close: string) => {
    const routes = new Set([...code.matchAll(IMPORT)].map(([, , file]) => file));
    const shared = [...html.matchAll(PRELOADED)]
      .map(([, file = ""]) => file)
      .filter((file) => !routes.has(file) && !code.includes(`import(${JSON.stringify(file)})`));
    const first = `for(const file of ${JSON.stringify(shared)})await import(file),${YIELD};`;
    const each = code.replace(IMPORT, (_import, name: string | undefined, file: string) => {
      const imported = `await import(${JSON.stringify(file)});${YIELD};`;
      return name ? `const ${name}=${imported}` : imported;
    });
    return open + first + each + close;
  });
}
