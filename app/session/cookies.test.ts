import { expect, it } from "vitest";
import { deviceAfterSignIn, deviceIdOf } from "./cookies.server.ts";

it("a device is known for the last five accounts that signed in on it", () => {
  const accounts = ["one", "two", "three", "four", "five", "six"];
  let headers = new Headers();
  for (const account of accounts) {
    const { name, value } = deviceAfterSignIn(headers, account);
    headers = new Headers({ Cookie: `${name}=${value}` });
  }
  const known = accounts.filter((account) => deviceIdOf(headers, account) !== null);
  expect(known).toEqual(accounts.slice(1));
});
