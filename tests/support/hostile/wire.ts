/** HTTP/1.1 on a bare socket: sends whatever bytes it is given, which no proper client would. */
import { connect, type Socket } from "node:net";
import { brotliDecompressSync, inflateSync, gunzipSync } from "node:zlib";

export type Answer = {
  status: number;
  /** As it came, so that a header smuggled in shows. */
  head: string;
  headers: Headers;
  body: Buffer;
  /** Bytes after the answer's end: an answer to something that was no request. */
  left: number;
  ms: number;
};

const TIMEOUT_MS = 20_000;
const HEAD_END = Buffer.from("\r\n\r\n");

/** One connection that is kept for as long as the shop keeps it. */
export class Wire {
  #socket: Socket | null = null;
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  /**
   * The answer, or null where the connection ends without one. `whole` says that the bytes are one complete request;
   * with any others the connection is half closed after them, and not used again. Throws where neither comes in time.
   */
  async send(bytes: Buffer, { method, whole }: { method: string; whole: boolean }): Promise<Answer | null> {
    if (!whole) this.close();
    const isOld = this.#socket !== null;
    const answer = await this.#once(bytes, method, whole);
    // An old connection may have been closed by the shop just as this was sent.
    return answer === null && isOld ? this.#once(bytes, method, whole) : answer;
  }

  #once(bytes: Buffer, method: string, whole: boolean): Promise<Answer | null> {
    const socket = (this.#socket ??= connect({
      port: this.#port,
      host: "localhost",
      noDelay: true,
      allowHalfOpen: true,
    }));
    const started = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<Answer | null>();
    let got = Buffer.alloc(0);
    const done = (answer: Answer | null, keep: boolean) => {
      clearTimeout(timer);
      socket.removeAllListeners();
      socket.on("error", () => {});
      if (!keep) this.close();
      resolve(answer);
    };
    const timer = setTimeout(() => {
      this.close();
      reject(new Error(`no answer within ${TIMEOUT_MS} ms`));
    }, TIMEOUT_MS);
    const look = (ended: boolean) => {
      const answer = parse(got, method, ended, performance.now() - started);
      if (answer) done(answer, whole && !ended && !/^connection: *close/im.test(answer.head));
      else if (ended) done(null, false);
    };
    socket.on("data", (chunk) => {
      got = got.length > 0 ? Buffer.concat([got, chunk]) : chunk;
      look(false);
    });
    socket.on("end", () => look(true));
    socket.on("close", () => look(true));
    socket.on("error", () => look(true));
    socket.write(bytes);
    if (!whole) socket.end();
    return promise;
  }
}

/** The first answer in these bytes, once all of it is there. What comes before it as 100 Continue is passed over. */
function parse(got: Buffer, method: string, ended: boolean, ms: number): Answer | null {
  const headEnd = got.indexOf(HEAD_END);
  if (headEnd === -1) return null;
  const head = got.subarray(0, headEnd).toString("latin1");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  const rest = got.subarray(headEnd + HEAD_END.length);
  if (status < 200) return parse(rest, method, ended, ms);
  const headers = new Headers();
  for (const line of head.split("\r\n").slice(1)) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const read = (end: number, body: Buffer): Answer => ({
    status,
    head,
    headers,
    body: unpacked(body, headers.get("Content-Encoding")),
    left: rest.length - end,
    ms,
  });
  if (method === "HEAD" || status === 204 || status === 304) return read(0, Buffer.alloc(0));
  if (/chunked/i.test(headers.get("Transfer-Encoding") ?? "")) {
    const pieces: Buffer[] = [];
    for (let at = 0; ;) {
      const lineEnd = rest.indexOf("\r\n", at);
      if (lineEnd === -1) return null;
      const size = Number.parseInt(rest.subarray(at, lineEnd).toString("latin1"), 16);
      const end = lineEnd + 2 + size + 2;
      if (end > rest.length) return null;
      if (size === 0) return read(end, Buffer.concat(pieces));
      pieces.push(rest.subarray(lineEnd + 2, end - 2));
      at = end;
    }
  }
  const length = headers.get("Content-Length");
  if (length === null) return ended ? read(rest.length, rest) : null;
  return rest.length >= Number(length) ? read(Number(length), rest.subarray(0, Number(length))) : null;
}

const decoders: Record<string, (body: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  deflate: inflateSync,
};
const unpacked = (body: Buffer, encoding: string | null) =>
  body.length > 0 ? (decoders[encoding ?? ""]?.(body) ?? body) : body;
