/** The scripts of a document, each evaluated in a task of its own. */

const PRELOADED = /<link rel="modulepreload" href="([^"]+)"[^>]*>/g;
const MODULES = /(<script[^>]* type="module"[^>]*>)([^<]+)(<\/script>)/;
const IMPORT = /import (?:\* as (\w+) from )?"([^"]+)";?/g;
/** A tab behind another paints nothing, answers nobody, and has its timers held back. */
const PAUSE = "const pause=(first=go=>go())=>document.hidden||new Promise(done=>first(()=>setTimeout(done)));";
const FIRST_PICTURE = "await pause(requestAnimationFrame);";
const YIELD = "await pause()";
const FETCH =
  'for(const href of files)document.head.append(Object.assign(document.createElement("link"),{rel:"modulepreload",href,fetchPriority:"low"})),';

/**
 * React Router lets a document import all of its scripts at once, which a browser evaluates in one go: a slow phone answers
 * no finger meanwhile. Here each file is imported by itself, what others need first, and the browser may do something else in
 * between. All are fetched beside each other, once the first picture is painted, and each is asked for in a task of its own: a
 * dozen at once take a slow phone 30 to 60 ms. While a page wakes up its links and forms work by themselves.
 */
export function stagedScripts(html: string): string {
  const files = [...html.matchAll(PRELOADED)].map(([, file = ""]) => file);
  const staged = html.replace(MODULES, (_script, open: string, code: string, close: string) => {
    const routes = new Set([...code.matchAll(IMPORT)].map(([, , file]) => file));
    const needed = files.filter((file) => !routes.has(file) && !code.includes(`import(${JSON.stringify(file)})`));
    const inOrder = [...needed, ...files.filter((file) => !needed.includes(file))];
    const fetched = `const files=${JSON.stringify(inOrder)};${PAUSE}${FIRST_PICTURE}${FETCH}${YIELD};`;
    const first = `for(const file of files.slice(0,${needed.length}))await import(file),${YIELD};`;
    const each = code.replace(IMPORT, (_import, name: string | undefined, file: string) => {
      const imported = `await import(${JSON.stringify(file)});${YIELD};`;
      return name ? `const ${name}=${imported}` : imported;
    });
    return open + fetched + first + each + close;
  });
  return staged === html ? html : staged.replace(PRELOADED, "");
}
