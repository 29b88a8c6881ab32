/** Passwords are worked on one at a time, so that a rush of sign-ins leaves processor and memory to the shop. */

/** About six seconds of work: longer nobody would wait, nor a stop of the shop. */
const MAX_WAITING = 20;

/** Refused because too many wait already; the message is for whoever asked. */
export class BusyError extends Error {
  override name = "BusyError";
  constructor() {
    super("The shop is busy signing people in. Please try again in a moment.");
  }
}

/** Lets so many pieces of work be under way or waiting, and refuses the next with BusyError. */
export function openGate(maxInside: number) {
  let inside = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (inside >= maxInside) throw new BusyError();
    inside++;
    return work().finally(() => inside--);
  };
}

/** Does one piece of work at a time, in the order they came; refuses with BusyError where the line is full. */
export function openQueue(maxWaiting: number) {
  const enter = openGate(maxWaiting);
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> =>
    enter(() => {
      const result = last.then(work);
      last = result.catch(() => {});
      return result;
    });
}

/** Whoever signs in or up passes here first, so that a crowd is refused before it has asked the database anything. */
export const signInGate = openGate(MAX_WAITING);

/** Where this process works on passwords. */
export const passwordQueue = openQueue(MAX_WAITING);
