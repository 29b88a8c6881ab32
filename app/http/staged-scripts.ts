/** The scripts of a document, each evaluated in a task of its own. */

const PRELOADED = /<link rel="modulepreload" href="([^"]+)"[^>]*>/g;
const MODULES = /(<script[^>]* type="module"[^>]*>)([^<]+)(<\/script>)/;
const IMPORT = /import (?:\* as (\w+) from )?"([^"]+)";?/g;
const YIELD = "await new Promise(done=>setTimeout(done))";
/** A tab behind another paints nothing, and has all the time to get ready. */
const FIRST_PICTURE = "if(!document.hidden)await new Promise(done=>requestAnimationFrame(()=>setTimeout(done)));";
const FETCH =
  'document.head.append(...files.map(href=>Object.assign(document.createElement("link"),{rel:"modulepreload",href,fetchPriority:"low"})));';

/**
 * React Router lets a document import all of its scripts at once, which a browser evaluates in one go: a slow phone answers
 * no finger meanwhile. Here each file is imported by itself, what others need first, and the browser may do something else in
 * between. All are fetched beside each other, once the first picture is painted: asking for a dozen files takes a slow phone 10
 * to 20 ms of the task that begins the page. While a page wakes up its links and forms work by themselves.
 */
export function stagedScripts(html: string): string {
  const files = [...html.matchAll(PRELOADED)].map(([, file = ""]) => file);
  const staged = html.replace(MODULES, (_script, open: string, code: string, close: string) => {
    const routes = new Set([...code.matchAll(IMPORT)].map(([, , file]) => file));
    const shared = files.filter((file) => !routes.has(file) && !code.includes(`import(${JSON.stringify(file)})`));
    const fetched = `const files=${JSON.stringify(files)};${FIRST_PICTURE}${FETCH}`;
    const first = `for(const file of ${JSON.stringify(shared)})await import(file),${YIELD};`;
    const each = code.replace(IMPORT, (_import, name: string | undefined, file: string) => {
      const imported = `await import(${JSON.stringify(file)});${YIELD};`;
      return name ? `const ${name}=${imported}` : imported;
    });
    return open + fetched + first + each + close;
  });
  return staged === html ? html : staged.replace(PRELOADED, "");
}
