/** Stripe Tax as the shop calls it, at the sandbox: three states to the cent. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useFreshDatabase } from "#tests/support/fresh-database.ts";
import { startTestPaymentSandbox, type TestPaymentSandbox } from "#tests/support/payment-sandbox.ts";
import { stripeTax } from "./stripe-tax.server.ts";
import { TaxError, type TaxProvider } from "./tax-provider.ts";

const database = useFreshDatabase(2);
let sandbox: TestPaymentSandbox;
let tax: TaxProvider;

beforeAll(async () => {
  sandbox = await startTestPaymentSandbox(database.url);
  tax = stripeTax(() => Promise.resolve(sandbox));
});
afterAll(() => sandbox.stop());

const TEXAS = { state: "TX", postalCode: "78701" };
const line = (productId: string, amountCents: number, quantity = 1) => ({
  productId,
  amountCents,
  quantity,
  taxCode: "txcd_99999999",
});
const kindOf = (call: Promise<unknown>) =>
  call.then(
    () => "none",
    (error: unknown) => (error instanceof TaxError ? error.kind : error),
  );

describe("a quote", () => {
  it.each([
    ["Texas taxes shipping", TEXAS, [99_00, 48_00], 9_99, [8_17, 3_96], 82],
    ["Texas with free shipping", TEXAS, [249_00], 0, [20_54], 0],
    ["half a cent is rounded up", TEXAS, [2_00], 0, [17], 0],
    ["California does not tax shipping", { state: "CA", postalCode: "94103" }, [99_00, 48_00], 9_99, [7_18, 3_48], 0],
    ["Oregon has no tax", { state: "OR", postalCode: "97201" }, [99_00], 9_99, [0], 0],
    ["any other state has none", { state: "NY", postalCode: "10001" }, [99_00], 9_99, [0], 0],
    ["what costs nothing", TEXAS, [0], 0, [0], 0],
  ])("%s", async (_, address, amounts, shippingCents, lineTax, shippingTax) => {
    const lines = amounts.map((cents, place) => line(`product ${place}`, cents));
    const quote = await tax.quote(lines, shippingCents, address);
    expect(quote).toMatchObject({
      reference: expect.stringMatching(/^taxcalc_/),
      lineTaxCents: Object.fromEntries(lineTax.map((cents, place) => [`product ${place}`, cents])),
      shippingTaxCents: shippingTax,
      taxCents: lineTax.reduce((sum, cents) => sum + cents, shippingTax),
    });
    expect(quote.expiresAt.getTime()).toBeGreaterThan(Date.now() + 89 * 86_400_000);
  });

  it("has every line of a long order", async () => {
    const lines = Array.from({ length: 130 }, (_, place) => line(String(place), 10_00, 2));
    const { lineTaxCents, taxCents } = await tax.quote(lines, 0, TEXAS);
    expect([Object.keys(lineTaxCents).length, taxCents]).toEqual([130, 130 * 83]);
  });

  it("refuses a ZIP code of another state", async () => {
    expect(await kindOf(tax.quote([line("a", 1_00)], 0, { state: "TX", postalCode: "10001" }))).toBe("address");
  });

  it.each([
    ["cut", "away"],
    ["error", "fault"],
    ["rate-limit", "busy"],
  ] as const)("names a failure: %s", async (fault, kind) => {
    await sandbox.control({ do: "fail", order: { on: "call", fault, path: "/v1/tax/calculations" } });
    expect(await kindOf(tax.quote([line("a", 1_00)], 0, TEXAS))).toBe(kind);
  });
});
