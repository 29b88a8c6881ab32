/**
 * Leaves out of the browser's React and router what the shop does not use: thirteen kilobytes of every page. The build fails
 * where a part is not where it was, and where a module uses one that is left out.
 */
import type { Plugin } from "vite";

type Part = {
  /** How a module that uses the part names it: its imports, or whatever matches. */
  imports?: string;
  uses?: RegExp;
  /** Only this part calls them. */
  functions?: string;
  /** The part's kind of fiber, whose cases go. */
  tag?: number;
  text?: [RegExp, string][];
};

/** In documents, too. */
const LINK_MARK: [RegExp, string] = [/,\s*"data-discover": .+/g, ""];

export const PARTS: Record<string, Part> = {
  "React's view transitions; the router has its own": {
    imports: "ViewTransition addTransitionType",
    tag: 30,
    functions: `startViewTransition commitAfterMutationEffectsOnFiber measureNestedViewTransitions
      commitEnterViewTransitions commitExitViewTransitions commitNestedViewTransitions restoreEnterOrExitViewTransitions
      restoreNestedViewTransitions trackEnterViewTransitions flushAfterMutationEffects reportViewTransitionError`,
    // No lanes are worth a view transition.
    text: [[/\((\w+) & 335544064\) === \1/g, "!1"]],
  },
  Activity: { imports: "Activity", tag: 31, functions: "updateActivityComponent commitActivityHydrationCallbacks" },
  SuspenseList: {
    imports: "SuspenseList unstable_SuspenseList",
    tag: 19,
    functions: "updateSuspenseListComponent findFirstSuspended pushSuspenseListContext popSuspenseListContext",
  },
  "forms whose action is a function; ours are addresses": {
    imports: "useActionState useFormState useFormStatus requestFormReset",
    uses: /\b(?:formA|a)ction=\{(?:async\b|\()/,
    functions: `mountActionState updateActionStateImpl rerenderActionState dispatchActionState extractEvents$1
      startHostTransition TransitionAwareHostComponent useHostTransitionStatus`,
  },
  "references to fragments": {
    uses: /<(?:React\.)?Fragment\b[^>]*\sref=/,
    functions: `FragmentInstance isFragmentInstanceParent addFragmentHandleToFiber commitNewChildToFragmentInstances
      commitFragmentInstanceInsertionEffects commitFragmentInstanceDeletionEffects`,
    text: [[/^FragmentInstance\.prototype\.\w+ = function[^]*?^};/gm, ""]],
  },
  "the functions that fetch ahead; we write links": {
    imports: "prefetchDNS preconnect preload preloadModule preinit preinitModule",
    functions: "prefetchDNS preconnect preload preloadModule preinitScript preinitStyle preinitModuleScript",
  },
  "events of selecting and composing text": {
    uses: /\bon(?:Select|BeforeInput|Composition\w+)\b/,
    text: [
      [
        /handleEventFunc = targetInst \? getNodeFromInstance\(targetInst\) : window;\s+switch[^]*?(?=\s+extractEvents\$1\()/,
        "",
      ],
    ],
  },
  "events that nothing in the shop answers: each press would go through all of a page for a dozen of them": {
    uses: /\bon(?:Abort|AuxClick|BeforeToggle|Cancel|CanPlay\w*|ContextMenu|Copy|Cut|Drag(?:Enter|Exit|Leave|Over|Start)?|Drop|DurationChange|Emptied|Encrypted|Ended|Error|Fullscreen\w+|GotPointerCapture|Invalid|KeyPress|KeyUp|Load(?:ed\w+|Start)?|LostPointerCapture|Mouse(?:Down|Out|Over|Up)|Paste|Pause|Play|Playing|Pointer(?:Cancel|Enter|Leave|Out|Over)|Progress|RateChange|Reset|Resize|ScrollEnd|Seek\w+|Stalled|Suspend|TimeUpdate|Toggle|Touch\w+|Transition\w+|Animation\w+|DoubleClick|VolumeChange|Waiting|Wheel)(?:Capture)?\s*[:=]/,
    text: [
      [
        /"abort auxClick [^"]+"/,
        '"click close dragEnd input keyDown mouseMove pointerDown pointerMove pointerUp scroll submit"',
      ],
      [/input keydown keyup selectionchange/, "input keydown keyup"],
      [/listenToNativeEvent\("selectionchange", !1, ownerDocument\)/, "0"],
      [/^simpleEventPluginEvents\.push\("scrollEnd"\);$/m, ""],
      [/^registerSimpleEvent\((?:ANIMATION|TRANSITION|"dblclick").+$/gm, ""],
      [/^registerDirectEvent\("onPointer.+$/gm, ""],
      [/^registerTwoPhaseEvent\((?:\s+)?"on(?:Select|BeforeInput|Composition)[^;]+;$/gm, ""],
    ],
  },
  findDOMNode: { imports: "findDOMNode", functions: "findCurrentHostFiberImpl findCurrentFiberUsingSlowPath" },
  "the browser's sign of loading, which no transition asks for": { functions: "defaultOnDefaultTransitionIndicator" },
  "the names of components around an error, which nobody is shown": {
    functions: "describeFiber",
    text: [[/info \+= describeFiber\(workInProgress, previous\)/, "void 0"]],
  },
  "the router's blockers": {
    imports: "useBlocker unstable_usePrompt",
    functions: "getBlocker updateBlocker shouldBlockNavigation",
  },
  "routes that are found later; each page is told of all": {
    functions: "discoverRoutes patchRoutes patchRoutesImpl",
    text: [
      [/if \(init\.patchRoutesOnNavigation\) \{/, "if (false) {"],
      [/if \(isFogOfWar\) \{/g, "if (false) {"],
    ],
  },
  "the mark of links to routes that are found later": { text: [LINK_MARK] },
  "server components": {
    imports: "unstable_RSCHydratedRouter",
    functions: `useIsRSCRouterContext RSCErrorHandler RSCPrefetchPageLinksImpl decodeRedirectErrorDigest
      decodeRouteErrorResponseDigest`,
  },
  "middleware in the browser": {
    uses: /\bclientMiddleware\b/,
    text: [[/let tuple = middlewares\[idx\];[^]*?^\}/m, "return await handler();\n}"]],
  },
  "pages that no server renders": { functions: "nonSsrStrategy" },
  "routers that no framework makes": { functions: "defaultDataStrategy defaultDataStrategyWithMiddleware" },
  "hot reload": { functions: "createClientRoutesWithHMRRevalidationOptOut _internalSetRoutes" },
  "the router's advice to who develops, which development shows": { functions: "warning warnOnce warningOnce" },
};

/** What was not found yet, as the build's errors name it. */
type Missing = Set<string>;

const words = (list = "") => list.split(/\s+/).filter(Boolean);

const emptied = (name: string): [RegExp, string] => [
  new RegExp(`^(\\t*)(async )?function ${name.replaceAll("$", "\\$")}\\([^]*?\\) \\{\\n[^]*?^\\1\\}`, "m"),
  `function ${name.replaceAll("$", "$$$$")}() {}`,
];
/** Not those cases that share what they do with the label above. */
const withoutCase = (tag: number): [RegExp, string] => [
  new RegExp(`(?<=[;}])\\n( +)case ${tag}:(?:\\n\\1 .*|\\n(?=\\n))*`, "g"),
  "",
];

const CUTS = Object.values(PARTS).flatMap(({ functions, tag, text = [] }) => [
  ...words(functions).map(emptied),
  ...(tag ? [withoutCase(tag)] : []),
  ...text,
]);

export const allCuts = (): Missing => new Set(CUTS.map(([found]) => found.source));

export function lean(code: string, missing: Missing): string {
  return CUTS.reduce((whole, [found, instead]) => {
    const cut = whole.replace(found, instead);
    if (cut !== whole) missing.delete(found.source);
    return cut;
  }, code);
}

/** What a module takes of React and its router by name. */
function* taken(code: string): Generator<string> {
  const imports = /import\s+(?:\w+\s*,\s*)?\{([^}]*)\}\s*from\s*["']react(?:-dom|-router)?["']/g;
  for (const [, list = ""] of code.matchAll(imports))
    for (const [name] of list.matchAll(/(?<=^|,)\s*\w+/g)) yield name.trim();
  for (const [, name = ""] of code.matchAll(/\bReact(?:DOM)?(?:\$\d+)?\.(\w+)/g)) yield name;
}

export function refuseUse(code: string): void {
  const names = new Set(taken(code));
  for (const [part, { imports, uses }] of Object.entries(PARTS))
    if (words(imports).some((name) => names.has(name)) || uses?.test(code))
      throw new Error(`The shop's framework has no ${part}: to use it, take it out of app/lean-framework.ts.`);
}

let missing = allCuts();
export const leanFramework: Plugin = {
  name: "lean-framework",
  apply: "build",
  enforce: "pre",
  buildStart() {
    if (this.environment.name === "client") missing = allCuts();
  },
  transform(code, id) {
    if (this.environment.name !== "client")
      return id.includes("/react-router/") ? code.replace(...LINK_MARK) : undefined;
    if (/\/node_modules\/(react-dom\/cjs|react-router\/dist\/production)\//.test(id)) return lean(code, missing);
    if (!/\/node_modules\/(react|react-dom|react-router|scheduler)\//.test(id)) refuseUse(code);
  },
  buildEnd(error) {
    if (!error && this.environment.name === "client" && missing.size > 0)
      throw new Error(`Not in the framework any more: ${[...missing].join(", ")}`);
  },
};
