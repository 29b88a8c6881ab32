import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, expect, it, vi } from "vitest";
import { CheckoutFooter } from "./checkout-chrome.tsx";
import { Footer } from "./footer.tsx";

afterEach(() => void vi.useRealTimers());

it.each([
  ["the store", Footer],
  ["the checkout", CheckoutFooter],
])("the footer of %s has the year that it is in New York now", (_place, Component) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const router = createMemoryRouter([{ path: "/", Component }]);
  for (const [now, year] of [
    ["2030-01-01T04:59:59Z", 2029],
    ["2030-01-01T05:00:00Z", 2030],
  ] as const) {
    vi.setSystemTime(now);
    expect(renderToStaticMarkup(<RouterProvider router={router} />)).toContain(`© ${year} Polara`);
  }
});
