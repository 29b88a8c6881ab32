/** What a browser fetches before anybody touches a page and on the way to its end, and whether anything jumps. */
import type { BrowserContext, Page } from "@playwright/test";
import { shiftOf, watchShifts } from "../tests/support/shifts.ts";

export type FirstLoad = {
  /** Before anybody scrolls. */
  scripts: number;
  all: number;
  byKind: Map<string, number>;
  pictures: { inView: number; unscrolled: number; all: number };
  shift: number;
};

/** `size` is the body's, as transferred; what says about it travels in the `head`. */
type Fetched = { url: string; kind: string; head: number; size: number };

export async function firstLoad(context: BrowserContext, address: string): Promise<FirstLoad> {
  const page = await context.newPage();
  const { fetched, settled } = await watchNetwork(context, page);
  await watchShifts(page);
  await page.goto(address, { waitUntil: "networkidle" });
  const unscrolled = [...fetched];
  const inView = await picturesInView(page);
  await scrollThrough(page);
  await settled();
  return {
    scripts: sum(unscrolled.filter(({ kind }) => kind === "Script")),
    all: sum(unscrolled) + heads(unscrolled),
    byKind: new Map([
      ...[...Map.groupBy(unscrolled, ({ kind }) => kind)].map(([kind, list]) => [kind, sum(list)] as const),
      ["Headers", heads(unscrolled)],
    ]),
    pictures: {
      inView: sum(unscrolled.filter(({ url }) => inView.includes(url))),
      unscrolled: sum(unscrolled.filter(isPicture)),
      all: sum(fetched.filter(isPicture)),
    },
    shift: await shiftOf(page),
  };
}

const sum = (list: Fetched[]) => list.reduce((total, { size }) => total + size, 0);
const heads = (list: Fetched[]) => list.reduce((total, { head }) => total + head, 0);
const isPicture = ({ kind }: Fetched) => kind === "Image";

async function watchNetwork(context: BrowserContext, page: Page) {
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
  const fetched: Fetched[] = [];
  const underWay = new Map<string, Fetched>();
  devtools.on("Network.requestWillBeSent", ({ requestId, type = "Other", request: { url, headers } }) => {
    const isAhead = headers["Sec-Purpose"]?.startsWith("prefetch");
    underWay.set(requestId, { url, kind: isAhead ? "Ahead" : type, head: 0, size: 0 });
  });
  devtools.on("Network.responseReceived", ({ requestId, response }) => {
    const request = underWay.get(requestId);
    if (request) request.head = response.encodedDataLength;
  });
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const request = underWay.get(requestId);
    if (request) fetched.push({ ...request, size: encodedDataLength - request.head });
    underWay.delete(requestId);
  });
  devtools.on("Network.loadingFailed", ({ requestId }) => underWay.delete(requestId));
  const settled = async () => {
    while (underWay.size > 0) await page.waitForTimeout(20);
  };
  return { fetched, settled };
}

/** The addresses of the pictures that somebody sees: not clipped by a row that scrolls, not transparent until pointed at. */
async function picturesInView(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((done) => {
        const observer = new IntersectionObserver((entries) => {
          const seen = entries.filter(
            ({ target, intersectionRatio }) =>
              intersectionRatio > 0 && target.checkVisibility({ opacityProperty: true }),
          );
          done(seen.map(({ target }) => (target as HTMLImageElement).currentSrc));
        });
        for (const image of document.images) observer.observe(image);
        if (document.images.length === 0) done([]);
      }),
  );
}

/** Two frames at each stop: one lays out what has come into reach, in the next the browser asks for it. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    for (let top = 0; top < document.body.scrollHeight; top += 600) {
      scrollTo({ top, behavior: "instant" });
      await frame();
      await frame();
    }
  });
}
