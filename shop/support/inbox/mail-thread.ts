/** The thread of read-mail.server.ts: it posts an id of an email, made of its bytes, then its headers, then all of it. */
import { createHash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { headOf } from "./mail-limits.ts";
import { parseMail } from "./parse-mail.server.ts";

const raw = workerData as Uint8Array;
parentPort!.postMessage(`<${createHash("sha256").update(raw).digest("hex")}@unnamed>`);
parentPort!.postMessage(await parseMail(headOf(raw)));
parentPort!.postMessage(await parseMail(raw));
