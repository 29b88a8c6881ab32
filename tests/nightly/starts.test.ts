/** Failing starts print one line with the remedy, soon, and leave no process. */
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startEmbeddedDatabase } from "#db/embedded.ts";
import { systemEnvironment } from "#platform/environment.ts";
import { startFault } from "#server/start-faults.ts";
import { administer } from "../support/database.setup.ts";
import { freePort, launch, startShop } from "../support/shop.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";
/** A busy machine takes seconds to start Node. */
const SOON_MS = 20_000;
const NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
const isRoot = process.getuid?.() === 0;
/** Root ignores permissions, so tests of permissions run as another user. */
const canChangeUser =
  isRoot &&
  spawnSync(NOBODY[0] ?? "", [...NOBODY.slice(1), "test", "-r", resolve("build/server/index.js")]).status === 0;
const hasProc = existsSync("/proc/self/cwd");

const root = mkdtempSync(join(tmpdir(), "polara-starts-"));
chmodSync(root, 0o755);
const sound = join(root, "sound");
afterAll(() => {
  spawnSync("chmod", ["-R", "u+rwX", root]);
  rmSync(root, { recursive: true, force: true });
});
beforeAll(async () => {
  expect(await (await startShop({ DATA_DIR: sound, DATABASE_URL: "" })).stop()).toBe(0);
});

let made = 0;
/** A copy of a stopped shop's data folder. */
function copy(): string {
  const folder = join(root, `copy-${made++}`);
  cpSync(sound, folder, { recursive: true, mode: 0, preserveTimestamps: true });
  chmodSync(join(folder, "postgres"), 0o700);
  return folder;
}
/** Running processes of a data folder. */
const left = (folder: string) =>
  spawnSync("ps", ["-A", "-o", "args="], { encoding: "utf8" })
    .stdout.split("\n")
    .filter((line) => line.includes(`${folder}/`) && !line.startsWith("ps "));

async function refusal(env: Record<string, string>, as: string[] = []): Promise<string> {
  const start = performance.now();
  const shop = launch({ DATABASE_URL: "", PORT: "3998", ...env }, { as });
  const late = setTimeout(() => shop.child.kill("SIGINT"), SOON_MS * 2);
  const code = await shop.ended;
  clearTimeout(late);
  const message = shop.output().trim();
  expect({ code, message, isLate: performance.now() - start > SOON_MS, left: left(env.DATA_DIR ?? root) }).toEqual({
    code: 1,
    message,
    isLate: false,
    left: [],
  });
  return message;
}

const LOST =
  "The file postgres-admin-password in DATA_DIR is missing, empty or another one's. Put it back from the backup of this folder.";
const damaged = (cause: string) =>
  `The database in DATA_DIR/postgres is damaged or incomplete (${cause}). Put DATA_DIR back from its backup, or set DATA_DIR to another folder for a new shop.`;
const OWNER_ONLY = "The database's folder must be open to its owner and to nobody else: chmod 700 DATA_DIR/postgres";
const noRights = (path: string) =>
  `This user may not read or write ${path}. Let the user who starts the shop read and write it, or set DATA_DIR to another folder.`;
const fileAt = (path: string) =>
  `There is a file where the folder ${path} should be. Move it away, or set DATA_DIR to another folder.`;
const remove = (path: string) => rmSync(path, { recursive: true });
const empty = (path: string) => writeFileSync(path, "");
const write = (text: string) => (path: string) => writeFileSync(path, text);
const truncate = (length: number) => (path: string) => truncateSync(path, length);
/** The folder itself. */
const WHOLE = "";

type Fault = [name: string, path: string, spoil: (path: string) => void, message: string];

/** One file is not what it was: PostgreSQL refuses to start, and writes nothing. */
const MISTAKES: Fault[] = [
  ["no password file", "postgres-admin-password", remove, LOST],
  ["an empty password file", "postgres-admin-password", empty, LOST],
  [
    "a truncated setting",
    "postgres/postgresql.conf",
    write("shared_buff"),
    damaged('configuration file "DATA_DIR/postgres/postgresql.conf" contains errors'),
  ],
  [
    "no settings",
    "postgres/postgresql.conf",
    remove,
    damaged(
      'could not access the server configuration file "DATA_DIR/postgres/postgresql.conf": No such file or directory',
    ),
  ],
  ["empty access rules", "postgres/pg_hba.conf", empty, damaged("could not load DATA_DIR/postgres/pg_hba.conf")],
  ["no PG_VERSION", "postgres/PG_VERSION", remove, damaged("PG_VERSION is missing")],
  ["an empty PG_VERSION", "postgres/PG_VERSION", empty, damaged('"DATA_DIR/postgres" is not a valid data directory')],
  [
    "another version of PostgreSQL",
    "postgres/PG_VERSION",
    write("17\n"),
    "The database in DATA_DIR/postgres was made by PostgreSQL 17, which this shop does not bring. Start the version of the shop that made it, or set DATA_DIR to another folder.",
  ],
  [
    "a truncated pg_control",
    "postgres/global/pg_control",
    truncate(100),
    damaged('could not read file "global/pg_control": read 100 of 296'),
  ],
  ["no pg_control", "postgres/global/pg_control", remove, damaged("could not find the database system")],
];

const DAMAGES: Fault[] = [
  ["the password of another folder", "postgres-admin-password", write("another"), LOST],
  [
    "an empty secret",
    "auth-secret",
    empty,
    "The file DATA_DIR/auth-secret does not hold the shop's secret. Put it back from the backup of this folder, or remove it, which signs everybody out.",
  ],
  [
    "a truncated catalog",
    "postgres/global/pg_filenode.map",
    truncate(10),
    damaged('could not read file "global/pg_filenode.map": read 10 of 524'),
  ],
  ["a truncated transaction log", "postgres/pg_xact/0000", empty, damaged("could not access status of transaction N")],
  ["a file in place of the database", "postgres", (path) => (remove(path), empty(path)), fileAt("DATA_DIR/postgres")],
  ["a file in place of DATA_DIR", WHOLE, (path) => (remove(path), empty(path)), fileAt("DATA_DIR")],
  ["a database folder open to others", "postgres", (path) => chmodSync(path, 0o777), OWNER_ONLY],
  ["a database that is read-only", "postgres", (path) => chmodSync(path, 0o500), noRights("DATA_DIR/postgres")],
];

describe("a data folder that cannot be used", () => {
  let mistaken: string | undefined;

  it.each(MISTAKES)("%s", async (_name, path, spoil, message) => {
    const folder = (mistaken ??= copy());
    const file = join(folder, path);
    spoil(file);
    const fault = await startEmbeddedDatabase(folder, systemEnvironment()).then(String, (error) =>
      startFault(error, undefined),
    );
    expect(fault.replaceAll(folder, "DATA_DIR")).toBe(message);
    expect(left(folder)).toEqual([]);
    cpSync(join(sound, path), file, { preserveTimestamps: true });
  });

  it.each(DAMAGES)("%s", async (_name, path, spoil, message) => {
    const folder = copy();
    spoil(join(folder, path));
    const printed = (await refusal({ DATA_DIR: folder })).replaceAll(folder, "DATA_DIR");
    // The transaction count changes with each migration.
    expect(printed.replace(/status of transaction \d+/, "status of transaction N")).toBe(message);
  });
});

describe.skipIf(isRoot && !canChangeUser)("a data folder without permissions", () => {
  const as = isRoot ? NOBODY : [];
  it.each([
    ["a new, read-only folder", mkdirSync, 0o555, "DATA_DIR/postgres-admin-password"],
    ["a folder without access", () => {}, 0o000, "DATA_DIR/postgres-admin-password"],
  ] as const)("%s", async (_name, make, mode, path) => {
    const folder = make === mkdirSync ? join(root, `new-${made++}`) : copy();
    make(folder);
    if (isRoot) spawnSync("chown", ["-R", "65534:65534", folder]);
    chmodSync(folder, mode);
    expect((await refusal({ DATA_DIR: folder }, as)).replaceAll(folder, "DATA_DIR")).toBe(noRights(path));
  });

  it("a folder that cannot be created", async () => {
    const parent = join(root, `parent-${made++}`);
    mkdirSync(parent);
    if (isRoot) spawnSync("chown", ["65534:65534", parent]);
    chmodSync(parent, 0o555);
    const folder = join(parent, "data");
    expect((await refusal({ DATA_DIR: folder }, as)).replaceAll(folder, "DATA_DIR")).toBe(noRights("DATA_DIR"));
  });

  it.runIf(isRoot)("another user's folder, for root too", async () => {
    const folder = copy();
    spawnSync("chown", ["-R", "65534:65534", folder]);
    expect((await refusal({ DATA_DIR: folder })).replaceAll(folder, "DATA_DIR")).toBe(noRights("DATA_DIR/postgres"));
  });
});

it.runIf(isRoot)("root gets a clear error if the system has no other user for PostgreSQL", async () => {
  expect(await refusal({ DATA_DIR: copy(), PATH: "/nowhere" })).toBe(
    "PostgreSQL does not run as root, and this system gives it no other user. Start the shop as a normal user, or set DATABASE_URL to a PostgreSQL of your own.",
  );
});

describe("a DATABASE_URL that cannot be used", () => {
  const database = (kind: string) => `polara_${kind}_${process.pid}`;
  /** A server that accepts connections and never responds. */
  const silent = createServer(() => {});
  const silentPort = () => String((silent.address() as AddressInfo).port);
  const own = () => inject("databaseServer");

  beforeAll(async () => {
    await new Promise<void>((ready) => silent.listen(0, "127.0.0.1", ready));
    for (const kind of ["foreign", "kept"]) await administer(own(), `CREATE DATABASE ${database(kind)}`);
    await administer(own(), `REVOKE CREATE ON DATABASE ${database("foreign")} FROM CURRENT_USER`);
    await administer(own(), `ALTER DATABASE ${database("kept")} SET default_transaction_read_only = on`);
    await administer(
      own(),
      `CREATE DATABASE ${database("latin")} ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`,
    );
  });
  afterAll(async () => {
    silent.close();
    for (const kind of ["foreign", "kept", "latin"]) await administer(own(), `DROP DATABASE ${database(kind)}`);
  });

  const set = (name: "port" | "password" | "pathname", value: () => string) => () => {
    const url = new URL(own());
    url[name] = value();
    return url.href;
  };
  const unusable = (reason: string, remedy: string) =>
    new RegExp(`^The database of DATABASE_URL cannot be used \\(${reason}\\)\\. ${remedy}$`);
  const MALFORMED = /^DATABASE_URL: DATABASE_URL must look like postgres:\/\/user:password@host:5432\/name; unset it/;

  it.each([
    [
      "nothing listens",
      set("port", () => "1"),
      /^No PostgreSQL answers at \S+:1, where DATABASE_URL points \(connect ECONNREFUSED \S+:1\)\. Start it there, or correct DATABASE_URL\.$/,
    ],
    [
      "the server is silent",
      set("port", silentPort),
      /^No PostgreSQL answers at \S+, where DATABASE_URL points \(timeout expired\)\. Start it there, or correct DATABASE_URL\.$/,
    ],
    [
      "a wrong password",
      set("password", () => "wrong"),
      /^PostgreSQL does not let the user of DATABASE_URL in \(password authentication failed for user "\w+"\)\. Correct its user and password\.$/,
    ],
    [
      "no password",
      set("password", () => ""),
      /^PostgreSQL does not let the user of DATABASE_URL in \(SASL: .*\)\. Correct its user and password\.$/,
    ],
    [
      "an unknown database",
      set("pathname", () => "/nowhere"),
      unusable(
        'database "nowhere" does not exist',
        "Create it with that user as its owner, or correct the name in DATABASE_URL\\.",
      ),
    ],
    [
      "no permission to create tables",
      set("pathname", () => `/${database("foreign")}`),
      unusable(
        "permission denied for database polara_foreign_\\d+",
        "Run `npm run migrate` with the DATABASE_URL of the user that owns it, or make this user its owner: ALTER DATABASE name OWNER TO user\\.",
      ),
    ],
    [
      "a database that is read-only",
      set("pathname", () => `/${database("kept")}`),
      unusable(
        "cannot execute CREATE SCHEMA in a read-only transaction",
        "DATABASE_URL must name a database that can be written to, and no replica of it\\.",
      ),
    ],
    [
      "a database without UTF-8",
      set("pathname", () => `/${database("latin")}`),
      unusable(
        'character with byte sequence .* in encoding "UTF8" has no equivalent in encoding "LATIN1"',
        "Create the database of DATABASE_URL with UTF8 as its encoding\\.",
      ),
    ],
    ["no address", () => "localhost:5432/polara", MALFORMED],
  ])("%s", async (_name, url, message) => {
    const line = await refusal({ DATABASE_URL: url(), AUTH_SECRET });
    expect(line).toMatch(message);
    expect(line).not.toContain("\n");
  });
});

let shut: string | undefined;
/** The same folder for all that end with a stopped shop. */
const stopped = () => (shut ??= copy());

describe("a stale pid file", () => {
  it.runIf(hasProc).each([
    // The new parent process does not reap them.
    ["a zombie's", "sleep 0.1 & echo $!; exec sleep 600", "Z"],
    ["a stranger's", "echo $$; exec sleep 600", "S"],
  ])("with %s number: the shop starts", async (_name, script, state) => {
    const folder = stopped();
    const other = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
    const pid = await new Promise<string>((done) =>
      other.stdout.once("data", (text: Buffer) => done(String(text).trim())),
    );
    try {
      await expect.poll(() => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]).toBe(state);
      writeFileSync(
        join(folder, "postgres/postmaster.pid"),
        `${pid}\n${folder}/postgres\n1700000000\n1\n\n127.0.0.1\n`,
      );
      const shop = await startShop({ DATA_DIR: folder, DATABASE_URL: "", AUTH_SECRET });
      expect(await shop.stop()).toBe(0);
    } finally {
      other.kill();
    }
  });

  it("that is empty after a crash of the machine: the shop starts", async () => {
    const folder = stopped();
    empty(join(folder, "postgres/postmaster.pid"));
    const shop = await startShop({ DATA_DIR: folder, DATABASE_URL: "", AUTH_SECRET });
    expect(await shop.stop()).toBe(0);
  });
});

it("a shop that gets SIGINT as it announces itself shuts down cleanly", async () => {
  const folder = stopped();
  for (let times = 0; times < 3; times++) {
    const shop = launch({ DATABASE_URL: "", DATA_DIR: folder, PORT: String(await freePort()) });
    shop.child.stdout?.on("data", () => shop.output().includes("Polara is open") && shop.child.kill("SIGINT"));
    expect({ code: await shop.ended, left: left(folder) }).toEqual({ code: 0, left: [] });
  }
});

describe("kill -9", () => {
  const postmaster = (folder: string) =>
    Number(readFileSync(join(folder, "postgres/postmaster.pid"), "utf8").split("\n")[0]);

  it("of the shop and its PostgreSQL together: the next start succeeds", async () => {
    const folder = stopped();
    for (let times = 0; times < 2; times++) {
      const shop = await startShop({ DATA_DIR: folder, DATABASE_URL: "", AUTH_SECRET });
      process.kill(postmaster(folder), "SIGKILL");
      await shop.kill();
    }
    expect(await (await startShop({ DATA_DIR: folder, DATABASE_URL: "", AUTH_SECRET })).stop()).toBe(0);
  });

  it.runIf(hasProc)("a PostgreSQL process that does not end is waited for, then reported", async () => {
    const folder = stopped();
    const shop = await startShop({ DATA_DIR: folder, DATABASE_URL: "", AUTH_SECRET });
    const pid = postmaster(folder);
    // A stopped postmaster forks no more, and its new children get their own names.
    process.kill(pid, "SIGSTOP");
    await expect.poll(() => left(folder)).toHaveLength(1);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
    for (const child of children) process.kill(child, "SIGSTOP");
    process.kill(pid, "SIGKILL");
    await shop.kill();
    try {
      expect(await refusal({ DATA_DIR: folder })).toBe(
        `Processes of a PostgreSQL that was killed still use ${folder}/postgres. End them, then start again.`,
      );
    } finally {
      // Some may have ended before they were stopped.
      for (const child of children) if (existsSync(`/proc/${child}`)) process.kill(child, "SIGCONT");
    }
    expect(await (await startShop({ DATA_DIR: folder, DATABASE_URL: "", AUTH_SECRET })).stop()).toBe(0);
  });
});
