/** A browser's translator, and somebody who presses everything on a page that it has translated. */
import type { BrowserContext, Page } from "@playwright/test";

declare global {
  var translator: ReturnType<typeof foreign>;
  var noteFault: (fault: string) => void;
  var notePress: (control: string) => Promise<void>;
}

/** Presses in this browser, and what went wrong, also on pages that are left since. */
export type Translated = { faults: Set<string>; pressed: Set<string> };

/** Every page of this browser can be translated from now on. */
export async function giveTranslator(context: BrowserContext): Promise<Translated> {
  const seen: Translated = { faults: new Set(), pressed: new Set() };
  await context.exposeFunction("noteFault", (fault: string) => void seen.faults.add(fault));
  await context.exposeFunction("notePress", (control: string) => void seen.pressed.add(control));
  await context.addInitScript(`globalThis.translator = (${foreign.toString()})();`);
  return seen;
}

/** The function runs in the browser, and so uses nothing from outside itself. */
function foreign() {
  const UNTRANSLATED = "script, style, noscript, template, textarea, svg, title, font";
  const CONTROLS =
    "button, summary, [role=tab], input[type=checkbox], input[type=radio], input[type=range], select, [type=search]";
  /** Each text node that is no longer on the page, with its place. */
  const taken = new Map<Node, string>();
  const note = (what: string, node: Node | null) => {
    if (node && taken.has(node)) noteFault(`${what} ${taken.get(node)}`);
  };

  // Changes by a page of a text that is no longer its own.
  const { removeChild, insertBefore } = Node.prototype;
  const value = Object.getOwnPropertyDescriptor(Node.prototype, "nodeValue")!;
  Node.prototype.removeChild = function <T extends Node>(child: T): T {
    note("removes", child);
    return removeChild.call(this, child) as T;
  };
  Node.prototype.insertBefore = function <T extends Node>(child: T, before: Node | null): T {
    note("inserts before", before);
    return insertBefore.call(this, child, before) as T;
  };
  Object.defineProperty(Node.prototype, "nodeValue", {
    ...value,
    set(this: Node, text: string) {
      note("changes", this);
      value.set!.call(this, text);
    },
  });

  /** As Chrome does: two fonts around a copy of the text. */
  function take(text: Node): void {
    const { parentElement, nodeValue } = text;
    if (!nodeValue?.trim() || !parentElement || parentElement.closest(UNTRANSLATED)) return;
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    inner.append(nodeValue);
    outer.append(inner);
    taken.set(text, `'${nodeValue}' of <${parentElement.localName}> '${parentElement.textContent.slice(0, 60)}'`);
    (text as Text).replaceWith(outer);
  }
  function takeAll(root: Node): void {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Node[] = [];
    for (let text = walker.nextNode(); text; text = walker.nextNode()) texts.push(text);
    texts.forEach(take);
    if (root.nodeType === Node.TEXT_NODE) take(root);
  }

  function findPairs(): void {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      // React puts a comment between two texts.
      const next = text.nextSibling?.nodeType === Node.COMMENT_NODE ? text.nextSibling.nextSibling : text.nextSibling;
      if (next?.nodeType === Node.TEXT_NODE && text.nodeValue?.trim() && next.nodeValue?.trim())
        noteFault(`'${text.nodeValue}' stands beside '${next.nodeValue}'`);
    }
  }

  let underway = 0;
  const { fetch } = globalThis;
  globalThis.fetch = async (...request) => {
    underway++;
    try {
      return await fetch(...request);
    } finally {
      underway--;
    }
  };
  /** Another document is on its way, with which this one ends. */
  let isLeaving = false;
  navigation.addEventListener("navigate", ({ destination, downloadRequest }) => {
    isLeaving ||= !destination.sameDocument && downloadRequest === null;
  });
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  /** Waits until presses are answered, and the answers are shown. */
  async function settle(): Promise<void> {
    do {
      await frame();
      await frame();
    } while (underway > 0 || isLeaving);
  }
  const nameOf = (control: Element) =>
    [control.localName, control.getAttribute("name"), control.getAttribute("value"), control.closest("form")?.id]
      .concat((control.getAttribute("aria-label") ?? control.textContent).replace(/\d+/g, ""))
      .join(" ");
  const isShown = (control: Element) =>
    control.checkVisibility({ visibilityProperty: true }) && !control.closest("[inert]");

  function fill(): void {
    const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      "input:not([type=hidden], [type=checkbox], [type=radio], [type=range], [type=file]), textarea",
    );
    const byKind: Record<string, string> = {
      email: "grace@example.com",
      tel: "2125550100",
      number: "1",
      date: "2026-12-24",
      password: "correct horse battery",
      url: "https://example.com/",
    };
    for (const field of fields) {
      const isZip = /postal-code/.test(field.autocomplete);
      const text = byKind[field.type] ?? (isZip ? "10001" : "Ada");
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")!.set!.call(field, text);
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
    }
    for (const choice of document.querySelectorAll("select")) {
      choice.selectedIndex = choice.options.length - 1;
      choice.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }

  return {
    /** Translates the page, and what it will show. Two texts side by side are a fault, even if neither changes here. */
    begin(): void {
      findPairs();
      takeAll(document.body);
      new MutationObserver((records) => {
        for (const { addedNodes } of records) addedNodes.forEach(takeAll);
      }).observe(document.body, { childList: true, subtree: true });
      // Documents and new tabs are let be: the page stays.
      const stay = (within: string) => (event: Event) =>
        (event.target as Element).closest(within) && event.preventDefault();
      addEventListener("click", stay("a"));
      addEventListener("submit", stay("form:not([method=dialog])"));
    },

    fill,

    /** Presses each control once, those of an open dialog first. True if that left the page. */
    async pressAll(before: string[]): Promise<boolean> {
      const start = location.pathname;
      const pressed = new Set(before);
      for (;;) {
        const dialog = document.querySelector<HTMLDialogElement>("dialog:modal");
        const next = [...(dialog ?? document.body).querySelectorAll<HTMLElement>(CONTROLS)].find(
          (control) => isShown(control) && !pressed.has(nameOf(control)) && !/Sign [Oo]ut/.test(nameOf(control)),
        );
        if (!next) {
          if (!dialog) return false;
          dialog.close();
          await frame();
          if (dialog.open) return false;
          continue;
        }
        const name = nameOf(next);
        pressed.add(name);
        // It may lead to another document.
        await notePress(name);
        if (next instanceof HTMLSelectElement) {
          next.selectedIndex = (next.selectedIndex + 1) % next.options.length;
          next.dispatchEvent(new Event("change", { bubbles: true }));
        } else next.click();
        await settle();
        if (location.pathname !== start) return true;
        if (document.querySelector("h1")?.textContent !== "Something went wrong") continue;
        noteFault(`'${name}' ends on the error page`);
        return true;
      }
    },
  };
}

const isLeft = (error: unknown) => /context was destroyed|Target page.*closed/.test(String(error));

/** Ends what a press has begun: it may still lead the page elsewhere. */
async function leave(page: Page): Promise<void> {
  const isBlank = () =>
    page.goto("about:blank").then(
      () => true,
      (error: unknown) => {
        if (String(error).includes("interrupted by another navigation")) return false;
        throw error;
      },
    );
  while (!(await isBlank()));
}

/**
 * Translates the page, and presses everything on it as it is, and again filled in. A page that is left on the way is
 * opened again, until everything was pressed.
 */
export async function pressTranslated(page: Page, { pressed }: Translated, reopen: () => Promise<void>): Promise<void> {
  for (const fills of [false, true]) {
    pressed.clear();
    for (let isOver = false; !isOver;) {
      await leave(page);
      await reopen();
      const pressing = page.evaluate(
        async ([fill, before]) => {
          translator.begin();
          if (fill) translator.fill();
          return !(await translator.pressAll(before));
        },
        [fills, [...pressed]] as [boolean, string[]],
      );
      // A press may lead to another document.
      isOver = await pressing.catch((error: unknown) => {
        if (isLeft(error)) return false;
        throw error;
      });
    }
  }
}
