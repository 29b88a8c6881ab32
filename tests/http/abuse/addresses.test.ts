/** Addresses that no link of the shop has: refused in plain words before a page or the database sees them. */
import { describe, expect, it } from "vitest";
import { useShop } from "../../support/use-shop.ts";

const { shop } = useShop();

const PAGES = ["/", "/shop", "/product/travel-sleeve", "/search", "/search.json", "/auth", "/auth/verify", "/cart"];
const MORE = ["/checkout", "/account", "/reset-password", "/blog/x", "/mailbox", "/personal", "/sitemap.xml", "/none"];
const DATA = ["/_.data", "/shop.data", "/product/travel-sleeve.data", "/search.data", "/auth/verify.data"];
const MACHINES = ["/api/products", "/api/me", "/api/auth/token", "/feeds/google.xml", "/llms.txt", "/healthz"];
const QUERIES = ["q=%00", "token=%00", "token=%0d%0a", "redirect=%0D%0ASet-Cookie:%20a=b", "a%00=1", "tab=x%0Ay"];

describe("NUL, CR and LF in an address", () => {
  it.each([...PAGES, ...MORE, ...DATA, ...MACHINES])("%s answers 400 to them in its query", async (path) => {
    for (const query of QUERIES) {
      const answer = await fetch(`${shop.url}${path}?${query}`, { redirect: "manual" });
      expect([query, answer.status]).toEqual([query, 400]);
      expect(await answer.text()).toContain("Check the link");
      expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
      expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
    }
  });

  it.each(["%00", "a%00b", "a%0d%0ab", "%0A", "%00.md", "%00.data"])(
    "/product/%s and its like answer 400",
    async (slug) => {
      for (const folder of ["/product/", "/blog/", "/api/products/", "/api/auth/", "/assets/", "/images/", "/none/"])
        expect([folder, (await fetch(`${shop.url}${folder}${slug}`)).status]).toEqual([folder, 400]);
    },
  );

  it("a form posted there is not read", async () => {
    for (const path of ["/reset-password?token=%00", "/auth?redirect=%0d%0a", "/cart/add?x=%00"]) {
      const answer = await fetch(shop.url + path, { method: "POST", headers: { Origin: shop.url } });
      expect([path, answer.status]).toEqual([path, 400]);
    }
  });
});

describe("percent-encoding that is none", () => {
  it.each(["%", "%zz", "%e0%a4%a", "%ff", "%ed%a0%80", "%c0%80", "%c0%af", "a%2"])(
    "%s in a path is a page that is not here",
    async (slug) => {
      for (const folder of ["/product/", "/blog/", "/api/products/", "/assets/", "/images/", "/none/"]) {
        const { status } = await fetch(shop.url + folder + slug);
        // A post that is unknown shows the newest one.
        expect([folder, status]).toEqual([folder, folder === "/blog/" ? status : 404]);
        expect(status).toBeLessThan(500);
      }
    },
  );

  it("in a query it is read as it stands: campaigns are called so", async () => {
    expect((await fetch(`${shop.url}/shop?utm_campaign=50%off`)).status).toBe(200);
    expect((await fetch(`${shop.url}/search?q=50%`)).status).toBe(200);
  });
});

it("what is encoded well is served", async () => {
  expect((await fetch(`${shop.url}/product/%74ravel-sleeve`)).status).toBe(200);
  expect((await fetch(`${shop.url}/product/caf%C3%A9`)).status).toBe(404);
  expect((await fetch(`${shop.url}/product/%2500`)).status).toBe(404);
  expect((await fetch(`${shop.url}/product/%250d%250a`)).status).toBe(404);
  expect((await fetch(`${shop.url}/search?q=%2500`)).status).toBe(200);
  expect((await fetch(`${shop.url}/search?q=sleeve%20%26%20dock`)).status).toBe(200);
});

it("the API says it as a problem", async () => {
  const answer = await fetch(`${shop.url}/api/products/%00`);
  expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
  expect(await answer.json()).toMatchObject({ status: 400 });
});
