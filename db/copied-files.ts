/** A copy of many files that is whole or is none: each is on the disk and known by its checksum, and the list comes last. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const LIST = "backup.json";

const listSchema = z.object({
  /** The copy holds what was answered until then. */
  moment: z.iso.datetime(),
  folders: z.array(z.string()),
  /** The SHA-256 of each file, by its path. */
  files: z.record(z.string(), z.string()),
});

export type List = z.output<typeof listSchema>;

/** Null where there is none: the folder is no copy, or one that was interrupted. */
export function readList(root: string): List | null {
  try {
    return listSchema.parse(JSON.parse(readFileSync(join(root, LIST), "utf8")));
  } catch {
    return null;
  }
}

type Copied = { hash: string; bytes: number };

async function write(to: string, chunks: AsyncIterable<Buffer> | Buffer[]): Promise<Copied> {
  const hash = createHash("sha256");
  let bytes = 0;
  const target = await open(to, "wx", 0o600);
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      await target.writeFile(chunk);
    }
    await target.sync();
  } finally {
    await target.close();
  }
  return { hash: hash.digest("hex"), bytes };
}

/** Reads to the end that the file has by then: one that shrinks or grows meanwhile is copied all the same. */
export async function copyFile(from: string, to: string): Promise<Copied> {
  const source = await open(from);
  try {
    return await write(to, source.createReadStream({ highWaterMark: 1 << 20, autoClose: false }));
  } finally {
    await source.close();
  }
}

/** Makes sure that the names in a folder outlast a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  await folder.sync().finally(() => folder.close());
}

export class Copy {
  readonly #root: string;
  readonly #folders: string[] = [];
  readonly #files: Record<string, string> = {};
  bytes = 0;

  constructor(root: string) {
    this.#root = root;
  }

  async addFolder(path: string): Promise<void> {
    await mkdir(join(this.#root, path), { mode: 0o700 });
    this.#folders.push(path);
  }

  async addFile(from: string, path: string): Promise<void> {
    this.#note(path, await copyFile(from, join(this.#root, path)));
  }

  async addBytes(bytes: Buffer, path: string): Promise<void> {
    this.#note(path, await write(join(this.#root, path), [bytes]));
  }

  async finish(moment: Date): Promise<void> {
    for (const folder of this.#folders) await syncFolder(join(this.#root, folder));
    const list: List = { moment: moment.toISOString(), folders: this.#folders, files: this.#files };
    await write(join(this.#root, LIST), [Buffer.from(JSON.stringify(list, null, 1))]);
    await syncFolder(this.#root);
  }

  #note(path: string, { hash, bytes }: Copied): void {
    this.#files[path] = hash;
    this.bytes += bytes;
  }
}
