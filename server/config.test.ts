import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { brand } from "../shop/brand.ts";
import { placeOf, readEnv } from "./config.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
const folder = mkdtempSync(join(tmpdir(), "polara-env-"));
afterAll(() => rmSync(folder, { recursive: true }));

const ofTheWorld = {
  BASE_URL: "https://shop.example",
  AUTH_SECRET,
  DATABASE_URL: "postgres://shop:word@db.example/shop?sslmode=verify-full",
  SMTP_URL: "smtps://user:word@mail.example",
  TRUST_PROXY: "10.0.0.1",
};

describe("a shop that others reach", () => {
  it("is accepted with its own secret, database and mail server, and encrypted lines", () => {
    expect(readEnv(ofTheWorld)).toMatchObject(ofTheWorld);
  });

  it.each([
    [{ BASE_URL: "http://shop.example" }, "BASE_URL must begin with https://"],
    [{ TRUST_PROXY: "" }, "TRUST_PROXY must name the proxy"],
    [{ DATABASE_URL: "postgres://shop:word@db.example/shop" }, "DATABASE_URL must end in ?sslmode=verify-full"],
    [{ DATABASE_URL: "postgres://shop:word@db.example/shop?sslmode=no-verify" }, "DATABASE_URL must end in"],
    [{ DATABASE_URL: "postgres://shop:word@db.example/shop?sslmode=require" }, "DATABASE_URL must end in"],
    [
      { DATABASE_URL: "postgres://shop:word@db.example/shop?sslmode=verify-full&sslmode=no-verify" },
      "DATABASE_URL must end in",
    ],
    [{ DATABASE_URL: "postgres://shop:word@127.0.0.1/shop?host=db.example" }, "DATABASE_URL must name its host once"],
    [
      { DATABASE_URL: "postgres://shop:word@db.example/shop?host=db.elsewhere&sslmode=verify-full" },
      "DATABASE_URL must name its host once",
    ],
    [{ DATABASE_URL: "postgres:///shop", PGHOST: "db.example" }, "DATABASE_URL must end in"],
    [{ GOOGLE_ISSUER: "http://accounts.example" }, "GOOGLE_ISSUER must begin with https://"],
    [{ NODE_TLS_REJECT_UNAUTHORIZED: "0" }, "NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody pose"],
    [{ AUTH_SECRET_OLD: "short" }, "AUTH_SECRET_OLD must be the secrets used before"],
  ])("is refused with %j", (more, message) => {
    expect(() => readEnv({ ...ofTheWorld, ...more })).toThrow(message);
  });

  it.each(["postgres://shop:word@127.0.0.1:5432/shop", "postgres://shop:word@localhost/shop?host=/var/run/postgresql"])(
    "may have its database beside it without encryption: %s",
    (DATABASE_URL) => {
      expect(readEnv({ ...ofTheWorld, DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL);
    },
  );
});

describe("addresses that people write to", () => {
  it("are the brand's, unless the operator has others", () => {
    expect(readEnv({ SUPPORT_EMAIL: "" })).toMatchObject({
      SUPPORT_EMAIL: brand.supportEmail,
      ORDERS_EMAIL: brand.ordersEmail,
    });
    const own = { SUPPORT_EMAIL: "help@shop.example", ORDERS_EMAIL: "shop@shop.example" };
    expect(readEnv(own)).toMatchObject(own);
  });

  it.each(["SUPPORT_EMAIL", "ORDERS_EMAIL"])("are refused where %s is none", (name) => {
    for (const wrong of ["nobody", "Help <help@shop.example>", "a@b.example, c@d.example"]) {
      expect(() => readEnv({ [name]: wrong })).toThrow(`${name}: ${name} must be an email address`);
    }
  });
});

describe("secrets", () => {
  it("may come from files", () => {
    const file = join(folder, "secret");
    writeFileSync(file, `${AUTH_SECRET}\n`);
    expect(readEnv({ AUTH_SECRET_FILE: file }).AUTH_SECRET).toBe(AUTH_SECRET);
    expect(() => readEnv({ AUTH_SECRET, AUTH_SECRET_FILE: file })).toThrow("AUTH_SECRET and AUTH_SECRET_FILE are both");
    expect(() => readEnv({ SMTP_URL_FILE: join(folder, "none") })).toThrow("SMTP_URL_FILE: the file");
  });
});

describe("processes", () => {
  it.each([
    [undefined, 1],
    ["", 1],
    ["3", 3],
    ["auto", availableParallelism()],
  ])("WEB_PROCESSES=%s is %i", (WEB_PROCESSES, count) => {
    expect(readEnv({ WEB_PROCESSES }).WEB_PROCESSES).toBe(count);
  });

  it.each(["0", "-1", "1.5", "all"])("WEB_PROCESSES=%s is refused", (WEB_PROCESSES) => {
    expect(() => readEnv({ WEB_PROCESSES })).toThrow("WEB_PROCESSES must be a number from 1 on, or 'auto'");
  });

  it("WORKER is unset or 'outside'", () => {
    expect(readEnv({}).WORKER).toBeUndefined();
    expect(readEnv({ WORKER: "outside" }).WORKER).toBe("outside");
    expect(() => readEnv({ WORKER: "inside" })).toThrow("WORKER can only be 'outside'");
  });
});

describe("where the shop listens", () => {
  const own = String(process.pid);

  it("is a port of its own", () => {
    expect(placeOf(readEnv({}))).toEqual({ port: 3000, host: undefined });
    expect(placeOf(readEnv({ PORT: "3001", HOST: "127.0.0.1" }))).toEqual({ port: 3001, host: "127.0.0.1" });
  });

  it("is the socket that was passed to this very process", () => {
    expect(placeOf(readEnv({ LISTEN_FDS: "1", LISTEN_PID: own }))).toEqual({ fd: 3 });
    expect(placeOf(readEnv({ LISTEN_FDS: "1", LISTEN_PID: "1" }))).toEqual({ port: 3000, host: undefined });
    expect(placeOf(readEnv({ LISTEN_FDS: "1" }))).toEqual({ port: 3000, host: undefined });
  });

  it("is never one of several sockets", () => {
    expect(() => readEnv({ LISTEN_FDS: "2", LISTEN_PID: own })).toThrow("LISTEN_FDS must be 1");
  });
});
