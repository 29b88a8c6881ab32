/** Bodies that are no larger than they may be. */
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";

/**
 * Refuses a body of more than `maxSize` bytes. What is not read of it would have the server close the connection half a
 * second later, in the middle of whatever it answers on it by then: the rest is read and dropped.
 */
export const limitBody = (maxSize: number, refuse: (c: Context) => Response) =>
  bodyLimit({
    maxSize,
    onError(c) {
      const { body } = c.req.raw;
      if (body && !body.locked) void body.pipeTo(new WritableStream()).catch(() => {});
      return refuse(c);
    },
  });
