import { createServer } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { afterAll, describe, expect, it, vi } from "vitest";
import { storePictures, type PicturePlace, pictureType, readPicture } from "./picture-store.server.ts";

const name = "u-0123456789abcdef0123-1600x1200-c9c9c3-front-800.webp";
const body = new Uint8Array([1, 2, 3]);

const objects = new Map<string, { body: Buffer; type: string | undefined }>();
const seen: string[] = [];
const asked: string[] = [];
let isSilent = false;
let missing = "<Error><Code>NoSuchKey</Code><Message>none</Message></Error>";
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  const key = new URL(request.url ?? "", "http://bucket").pathname;
  seen.push(request.headers.authorization ?? "");
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    if (request.method === "PUT") {
      objects.set(key, { body: Buffer.concat(chunks), type: request.headers["content-type"] });
      return response.end();
    }
    asked.push(key);
    if (isSilent) return;
    const found = objects.get(key);
    if (found) return response.end(found.body);
    response.writeHead(404, { "Content-Type": "application/xml" });
    return response.end(missing);
  });
});
const folder = mkdtempSync(join(tmpdir(), "polara-pictures-"));
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function bucket(): Promise<PicturePlace> {
  if (!server.listening) await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const keys = { accessKeyId: "the-id", secretAccessKey: "the-secret" };
  return { bucket: { endpoint: `http://127.0.0.1:${port}`, region: "us-east-1", name: "shop", ...keys } };
}

describe("pictures", () => {
  it.each([
    ["a folder", async () => ({ folder: join(folder, "pictures") })],
    ["a bucket", bucket],
  ])("are stored in %s and read back", async (_, open) => {
    const place = await open();
    expect(await readPicture(place, name)).toBeNull();
    await storePictures(place, [{ name, body }]);
    await storePictures(place, [{ name, body }]);
    expect([...((await readPicture(place, name)) ?? [])]).toEqual([1, 2, 3]);
  });

  it("are in the bucket with their type, by signed requests", () => {
    expect(objects.get(`/shop/pictures/${name}`)?.type).toBe("image/webp");
    expect(seen.every((header) => header.startsWith("AWS4-HMAC-SHA256 Credential=the-id/"))).toBe(true);
  });

  it("an answer of the bucket opens no external entity", async () => {
    const { port } = server.address() as AddressInfo;
    const entity = `<!DOCTYPE Error [<!ENTITY file SYSTEM "http://127.0.0.1:${port}/stolen">]>`;
    missing = `<?xml version="1.0"?>${entity}<Error><Code>NoSuchKey</Code><Message>&file;</Message></Error>`;
    asked.length = 0;
    const other = name.replace("0123", "3210");
    await readPicture(await bucket(), other).catch(() => null);
    expect(asked).toEqual([`/shop/pictures/${other}`]);
  });

  it("a bucket that does not answer is given up", async () => {
    const place = await bucket();
    isSilent = true;
    asked.length = 0;
    let ended: unknown;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const read = readPicture(place, name).catch((error: Error) => (ended = error.name));
    while (asked.length === 0) await setImmediate();
    for (let seconds = 0; ended === undefined && seconds < 60; seconds++) {
      vi.advanceTimersByTime(1_000);
      for (let turns = 0; turns < 20; turns++) await setImmediate();
    }
    vi.useRealTimers();
    isSilent = false;
    expect(ended).toBe("TimeoutError");
    await read;
  });

  it.each(["auth-secret", "../auth-secret", "u-0123.webp", `../${name}`, `${name}/..`, `${name}.html`])(
    "%s is refused",
    async (other) => {
      expect(pictureType(other)).toBeNull();
      await expect(readPicture({ folder }, other)).rejects.toThrow("no name of a picture");
    },
  );
});
